# The words of Errata's interface, in English. What comes from records stays as it is and is not here.
#
# How to add a text: write `key = text` here, then the same key with the same { $values } in every other .ftl file;
# tests/locales says what is missing. In code: words("key", count=3).
# How to add a language: copy this file to <code>.ftl (the code Discord uses, e.g. "fr") and translate. The words are
# Fluent (https://projectfluent.org): a line that continues is indented; plurals are { $count -> [one] … *[other] … }.
#
# Keys begin with where the text is seen: card-, button-, details-, none-, link-, command-, severity-, …
# Texts starting with none-, notice- and link- are escaped as a whole before Discord sees them; only `inline code` works.
# command-<name>-name: lower case, no spaces, at most 32 characters (a message menu's may have both).
# command-<name>-description: at most 100 characters. button-: at most 38, or phones cut them.

## How an answer is known

card-exact = Exact match
card-guess = Best guess · about { $percent } % likely
card-related = Related error
card-looked-up = From the catalogue
card-how-exact = The documented message is in what was posted.
card-how-guess = No documented message matches word for word; this one is nearest.
card-how-related = This page lists the error that was posted as a related one.
card-how-looked-up = Looked up by its name or number.

## The card

card-what-to-do = What to do
card-hidden-steps =
    { $count ->
        [one] One more step behind “More”.
       *[other] { $count } more steps behind “More”.
    }
card-shortened = Shortened: the whole text is behind “More”.
card-ai-assisted = AI-assisted analysis
card-no-location = place unknown
card-source = { $place } @ { $commit }, { $date }

severity-critical = critical
severity-error = error
severity-warning = warning
severity-info = info

## Buttons

button-more = More
button-helpful = Helpful
button-wrong = Not my error
button-dismiss = Dismiss
button-source = Source
button-page = Full page
button-show = Show
button-others =
    { $count ->
        [one] One more error in this log
       *[other] { $count } more errors in this log
    }

## Behind "More"

details-meaning = What it means
details-solutions = Solutions
details-example-fix = Example fix
details-triggers = What triggers it
details-situations = Common situations
details-prevention = Prevention
details-snippets = Defensive code
details-source = Where it is raised
details-related = Related errors
details-in-file = Whole in the attached file { $name }.
details-rest-in-file = Shortened: the whole text is in the attached file { $name }.

## Further errors and links

others-title =
    { $count ->
        [one] One more error in this log
       *[other] { $count } more errors in this log
    }
link-same-error = Same error as answered here:

## No answer

none-no-match =
    I looked at { $parts } and know no documented error in it; post the whole output, from the first line that says what failed, with the command you ran.
none-no-match-no-error =
    I looked at { $parts } and saw nothing that reads like an error; post what the program printed, from the first line that says what failed.
none-part-message =
    { $lines ->
        [one] your message (one line)
       *[other] your message ({ $lines } lines)
    }
none-part-file =
    { $lines ->
        [one] { $name } (one line)
       *[other] { $name } ({ $lines } lines)
    }
none-part-rest =
    { $count ->
        [one] one more file
       *[other] { $count } more files
    }
none-and = { $first } and { $last }
none-unreachable = I could not fetch { $name } from where it is kept; please upload it again or paste its text.
none-too-big = { $name } is too big for me; please post only the part around the error.
none-unsupported = { $name } is a kind of file I cannot read; please post the text itself or a .txt or .log file.
none-empty = There is no text in { $name }; please paste what the program printed.
none-dump = { $name } is a program's memory, a crash dump or core file, which only a debugger can read; please open it in one (`gdb`, `lldb`, WinDbg) and post the backtrace.
none-encrypted = { $name } is locked with a password; please post it without one.
none-damaged = { $name } is damaged or was cut off while it was written; please pack or upload it again, or paste the text.
none-bomb = { $name } unpacks to far more than its size allows, so I stopped; please post only the part around the error.
none-nested = { $name } is packed inside too many archives for me; please unpack it and post the log itself.
none-too-many = { $name } holds more files than I look at; please post the log itself.
none-unsafe-name = { $name } has a name that leads out of its archive, so I left it closed; please post the log itself.
none-not-a-log = I left out { $name }, not being the output of a program.
none-skipped-rest =
    { $count ->
        [one] One more file could not be read.
       *[other] { $count } more files could not be read.
    }
none-your-message = your message
none-busy = I am answering many questions at this moment; please ask again in a minute.
none-degraded = Only exact messages could be looked for just now.

## Commands

command-explain-menu-name = Explain this error
command-error-name = error
command-error-description = Find out what an error means
command-explain-name = explain
command-explain-description = Explain an error from its text or a log file
command-explain-text-name = text
command-explain-text-description = What the program printed; leave it empty for a large text field
command-explain-file-name = file
command-explain-file-description = A log or text file
command-search-name = search
command-search-description = Search the documented errors
command-search-words-name = words
command-search-words-description = Words of the message or of its meaning
command-search-repo-name = repo
command-search-repo-description = Only errors of this repository (owner/name)
command-show-name = show
command-show-description = Show one documented error
command-show-record-name = record
command-show-record-description = Its number, or owner/repository/name

## Commands for admins, and about oneself

command-errata-name = errata
command-errata-description = Settings and status of Errata on this server
command-settings-name = settings
command-settings-description = Where Errata speaks, who helps here, cooldown and language
command-undo-name = undo
command-undo-description = Take back the last change of the settings
command-status-name = status
command-status-description = Version, catalogue, and what Errata may not do in this channel
command-mute-name = mute
command-mute-description = Never show one documented error unasked on this server
command-mute-record-name = record
command-mute-record-description = Its number, or owner/repository/name
command-unmute-name = unmute
command-unmute-description = Show a muted error again
command-privacy-name = privacy
command-privacy-description = What Errata keeps of you
command-privacy-show-name = show
command-privacy-show-description = See everything Errata keeps of you
command-privacy-delete-name = delete
command-privacy-delete-description = Delete everything Errata keeps of you
command-privacy-opt-out-name = opt-out
command-privacy-opt-out-description = Never be answered without having asked
command-privacy-opt-in-name = opt-in
command-privacy-opt-in-description = Be answered without having asked again, where a server wants that

## Forms

form-paste-title = Explain an error
form-paste-label = What the program printed
form-paste-placeholder = From the first line that says what failed
form-settings-title = Errata’s settings
form-settings-channels = Channels
form-settings-channels-help = Which the mode below is for; none means all without a mode of their own
form-settings-mode = Mode
form-settings-mode-help = When Errata speaks there; left empty, nothing changes
form-settings-helpers = Helper roles
form-settings-helpers-help = Where they write in a thread, Errata stays silent
form-settings-cooldown = Cooldown
form-settings-cooldown-help = For how long one error is not explained twice to one person or thread
form-settings-language = Language
form-settings-language-help = The language of Errata’s answers on this server

mode-off = off: never speaks
mode-mention = mention: answers when mentioned
mode-exact = exact: also posts exact matches unasked
mode-exact-and-nearest = exact+nearest: also posts likely guesses unasked
mode-default = as everywhere else
language-en = English
language-de = Deutsch (German)
duration-none = none
duration-hours =
    { $count ->
        [one] 1 hour
       *[other] { $count } hours
    }
duration-minutes =
    { $count ->
        [one] 1 minute
       *[other] { $count } minutes
    }
duration-seconds =
    { $count ->
        [one] 1 second
       *[other] { $count } seconds
    }

## Changed settings

changes-title = Changed, from now on:
changes-undone = Taken back:
changes-none = Nothing has changed.
changes-none-to-undo = There is no change to take back.
changes-more =
    { $count ->
        [one] and one more
       *[other] and { $count } more
    }
changes-default = the default
changes-default-mode = Mode of all other channels
changes-helper-roles = Helper roles
changes-cooldown-seconds = Cooldown
changes-language = Language
changes-keeps-texts = Keeps texts of unanswered questions
changes-muted = Muted
changes-yes = yes
changes-no = no

## Status

status-title = Errata
status-here = Here
status-version = Version { $version }, catalogue { $catalogue }
status-catalogue = { $records } documented errors of { $repositories } repositories
status-patterns = { $patterns } patterns, { $refused } refused
status-index = Index: { $records } records, compared by { $encoder }
status-not-installed = from a checkout
status-no-encoder = words alone
status-latency = Gateway latency { $milliseconds } ms
status-degraded = Degraded: { $why }
status-silenced = Silenced by its operator
status-mode = Mode { $mode }
status-missing = I cannot answer here. I lack: { $permissions }
status-missing-comforts = I can answer here. It would help to have: { $permissions }
status-nothing-missing = I have every permission I need
status-refused = Discord has refused a message here within the last minutes (code { $code })
status-muted =
    { $count ->
        [one] One muted error:
       *[other] { $count } muted errors:
    }
permission-view-channel = View Channel
permission-send-messages = Send Messages
permission-send-messages-in-threads = Send Messages in Threads
permission-read-message-history = Read Message History
permission-attach-files = Attach Files

## Privacy

privacy-general = I do not keep what you write. For { $answers } days I remember which of your messages I answered with which error and how you voted, and for { $questions } days a fingerprint of questions I could not answer. Deleting a message deletes what is kept of it.
privacy-nothing = At this moment nothing is kept of you.
privacy-answers =
    { $count ->
        [one] one answered message
       *[other] { $count } answered messages
    }
privacy-votes =
    { $count ->
        [one] one vote
       *[other] { $count } votes
    }
privacy-questions =
    { $count ->
        [one] one unanswered question
       *[other] { $count } unanswered questions
    }
privacy-texts =
    { $count ->
        [one] one text without secrets, because a server keeps them
       *[other] { $count } texts without secrets, because a server keeps them
    }
privacy-changes =
    { $count ->
        [one] one change of a server’s settings
       *[other] { $count } changes of servers’ settings
    }
privacy-opted-out-since = left alone since { $date }
privacy-deleted =
    { $count ->
        [0] There was nothing to delete.
        [one] Deleted: one entry.
       *[other] Deleted: { $count } entries.
    }
privacy-opted-out = From now on I answer you only when you ask me. /privacy opt-in takes that back.
privacy-opted-in = I may answer you unasked again, where a server wants that.

## Notices

found-title = Documented errors
notice-incident = Something went wrong on my side; it is logged as incident { $incident }.
notice-silenced = I have been told to be silent for now; please try again later.
notice-not-allowed = You may not do that here.
notice-needs-manage-guild = That needs the permission Manage Server.
notice-may-not-dismiss = Only who asked, helpers and moderators can dismiss this.
notice-thanks = Thank you, that helps to rank answers.
notice-vote-counted = Thank you, noted. Who asked, helpers and moderators can also replace or remove the card.
notice-withdrawn = Thank you, noted. I know no other error that fits, so I took the card away.
notice-record-gone = This error is no longer in the catalogue.
notice-no-such-record = I know no such record; pick one of the suggestions, or give its number or owner/repository/name.
notice-nothing-found = No documented error has these words.

# --- Why a record was found: fragments of one sentence, joined by "; " ---------------------------------------
reason-whole-line = its message is the whole line
reason-in-text = its message is in the text
reason-related = an error its page lists as related is in the text
reason-line-named = { $subject } is named
reason-file-named = { $subject } is named with its folder
reason-class-before = { $subject } stands before it
reason-class-seen = { $subject } occurs
reason-code-seen = the code { $subject } occurs
reason-status-seen = status { NUMBER($number, useGrouping: 0) } occurs
reason-package = { $subject } is mentioned
reason-same-message = { $number ->
    [one] one more record says the same
   *[other] { $number } more records say the same
}
reason-explains-more = it explains more of the line than any other
reason-joined = lines were joined
reason-close = what was written is close to { $subject }
reason-words-shared = { $number } % of the telling words of its message occur
reason-nearest = of all records, { $subject } of this one is nearest
facet-message = its message
facet-meaning = its meaning
facet-trigger = what triggers it

## Warnings: a message shows something by which others could log in
# leak-kind-<kind> for every kind of credential that bot/pastes/detectors.py names: what it is, and how to revoke it.
# At most 190 characters each; only `inline code` is Markdown.

leak-message = Your message { $url } shows what looks like a credential. Everybody there could read it, so please revoke it, then delete or edit the message.
leak-given = What you gave me shows what looks like a credential. Nobody but you sees this answer; if you posted it anywhere else, please revoke it.
leak-aloud = This message shows what looks like a credential, and I could not write to its author directly. Please revoke it, then delete or edit the message.
leak-more =
    { $count ->
        [one] and one more kind
       *[other] and { $count } more kinds
    }
leak-after = I keep nothing of it and have tried it nowhere. Deleting a message is not enough once others have seen it. If it is an invented example, nothing needs to be done.
leak-kind-discord-token = Discord bot token: at https://discord.com/developers/applications open your application, page Bot, and press Reset Token.
leak-kind-discord-webhook = Discord webhook: in the settings of its channel, under Integrations and Webhooks, delete it and make a new one.
leak-kind-slack-webhook = Slack webhook: at https://api.slack.com/apps open the app, page Incoming Webhooks, and remove it.
leak-kind-slack-token = Slack token: at https://api.slack.com/apps open the app, page OAuth & Permissions, revoke the tokens and install it again.
leak-kind-github-token = GitHub token: delete it at https://github.com/settings/tokens; for an app, revoke it in the settings of the app.
leak-kind-gitlab-token = GitLab token: in your preferences, or those of the project or group, under Access tokens, revoke it.
leak-kind-aws-key = AWS access key: in the IAM console open the user, tab Security credentials, deactivate the key and make another.
leak-kind-anthropic-key = Anthropic key: delete it at https://console.anthropic.com/settings/keys.
leak-kind-openai-key = OpenAI key: delete it at https://platform.openai.com/api-keys.
leak-kind-stripe-key = Stripe key: roll it at https://dashboard.stripe.com/apikeys; a webhook's secret on the page of its endpoint.
leak-kind-npm-token = npm token: on https://www.npmjs.com under your picture, Access Tokens, delete it; or `npm token revoke` with its id.
leak-kind-pypi-token = PyPI token: at https://pypi.org/manage/account/ under API tokens remove it.
leak-kind-google-key = Google key: at https://console.cloud.google.com/apis/credentials delete it or make a new one.
leak-kind-hugging-face-token = Hugging Face token: at https://huggingface.co/settings/tokens invalidate it.
leak-kind-telegram-token = Telegram bot token: send /revoke to @BotFather.
leak-kind-sendgrid-key = SendGrid key: at https://app.sendgrid.com/settings/api_keys delete it.
leak-kind-jwt = Token of a session (JWT): log out of that service everywhere, or have its operator revoke it; it may be valid until it expires.
leak-kind-cookie = Cookies of a session: log out of that website, which ends the session; closing the browser does not.
leak-kind-authorization = An Authorization header: revoke the token, or change the password that is in it.
leak-kind-credentials = User name and password in an address: change that password, also where else you use it.
leak-kind-secret = A password or key behind its name: change it, also where else you use it.
leak-kind-private-key = A private key: make a new pair of keys, and remove the old public key or certificate wherever it is trusted.
