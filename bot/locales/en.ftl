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

card-read = Read from a picture:
card-read-unsure = Read from a picture, not surely; please paste the text itself:
card-what-to-do = What to do
card-hidden-steps =
    { $count ->
        [one] One more step behind “More”.
       *[other] { $count } more steps behind “More”.
    }
card-shortened = Shortened: the whole text is behind “More”.
card-ai-assisted = AI-assisted analysis
card-no-location = place unknown
card-outline = Only the outline of this record is loaded here: what it means and what to do is on its page.
card-outline-source = not loaded yet
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
details-background = About this kind of error
details-background-causes = Common causes of this kind
details-background-fixes = What helps with this kind
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
none-login = { $name } is shown only to people who are signed in there; please download the log and upload it here, or paste the part around the error.
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
none-picture = I do not read pictures here; please paste the text that is in { $name }.
none-unsure = I could not read { $name } surely; please paste the text that is in it.
none-waiting = Too many pictures wait for me just now; please paste the text that is in { $name }.
none-from-picture = What I read from a picture may be misread, so please paste the text itself.
none-not-a-log = I left out { $name }, not being the output of a program.
none-skipped-rest =
    { $count ->
        [one] One more file could not be read.
       *[other] { $count } more files could not be read.
    }
none-your-message = your message
none-busy = I am answering many questions at this moment; please ask again in a minute.
none-degraded = Only exact messages could be looked for just now.

# Below an answer, one line of about 130 characters: what was not read of the paste, each with its reason in a word or two.
not-read =
    { $rest ->
        [0] Not read: { $names }
        [one] Not read: { $names } and one more
       *[other] Not read: { $names } and { $rest } more
    }
not-read-one = { $name } ({ $why })
not-read-unreachable = out of reach
not-read-login = needs a login
not-read-too-big = too big
not-read-unsupported = kind unknown
not-read-binary = no text
not-read-empty = empty
not-read-dump = a memory dump
not-read-encrypted = locked
not-read-damaged = damaged
not-read-bomb = unpacks to too much
not-read-nested = packed too deep
not-read-too-many = too many files
not-read-unsafe-name = unsafe name
not-read-not-a-log = no log
not-read-picture = a picture
not-read-unsure = unclear picture
not-read-waiting = too busy for pictures
none-looked-at = I looked at { $parts } and know no documented error in it.

# What is missing from a paste that is too poor to answer, by the rules of bot/pastes/lacks.txt; $tool is theirs.
none-lacks-python-cut = The traceback stops before its last line, the one that names the error; please post it to the end.
none-lacks-message-cut = The last line names the error, and its message behind the colon is missing; please post what follows.
none-lacks-rust-panic-cut = The message of the panic is missing; please post the lines below “panicked at” as well, and run it with `RUST_BACKTRACE=1`.
none-lacks-rust-no-backtrace = Run it again with `RUST_BACKTRACE=1` and post everything from “panicked at” on.
none-lacks-minified = These calls are of minified code, whose names say nothing; please post the error of a development build, or with source maps switched on.
none-lacks-stack-head = These are the calls of a { $tool } stack without what stands above them; please post it from the line that names the error.
none-lacks-no-stack = This is one line of a stack trace; please post all of it, with the calls above or below, and the command you ran.
none-lacks-memory = Code 137 means killed, mostly for want of memory; please post what it printed before that, and the end of `dmesg` or of `kubectl describe pod`.
none-lacks-segfault = “Segmentation fault” does not say where; run the program in a debugger (`gdb --args …`, `run`, then `bt`; on a Mac `lldb`, or open the dump by `coredumpctl gdb`) and post the backtrace.
none-lacks-cargo = That is only how { $tool } ends; the error itself stands further up and begins with “error[E…” or “error:”. `cargo build 2>&1 | tee build.log` keeps all of it.
none-lacks-npm = That is only how { $tool } ends; the error itself stands further up, before the first “npm ERR!”, and in the log file it names at the end.
none-lacks-package-script = That is only how { $tool } reports that the script has failed; please post what the script printed above it.
none-lacks-linker = That is only how the linker ends; please post the lines above it, such as “undefined reference” or “cannot find -l…”.
none-lacks-make = That is only how { $tool } ends; the error itself stands further up. `make -j1 2>&1 | tee build.log` keeps all of it in order.
none-lacks-ninja = That is only how { $tool } ends; please post what stands below the first “FAILED:”. `ninja -j1` prints it last.
none-lacks-cmake = That is only how { $tool } ends; please post the lines from the first “CMake Error” on.
none-lacks-xcode = That is only how { $tool } ends; please post the lines with “error:” further up, or the whole report of the step (Report navigator, Export).
none-lacks-gradle = That is only how { $tool } ends; please post what stands below “What went wrong”, or the output with `--stacktrace`.
none-lacks-maven = That is only how { $tool } ends; please post the lines with “[ERROR]” from the first on, or the output of `mvn -e`.
none-lacks-dotnet-build = That is only how { $tool } ends; please post the lines with “error” and a code like CS1002 or MSB3073 further up.
none-lacks-pip = That is only how { $tool } tells that a package could not be built; please post its output from the first line that says error; `pip install -v` prints all of it.
none-lacks-docker-build = That is only how { $tool } reports that a step has failed; please post what the step printed. `docker build --progress=plain --no-cache .` shows all of it.
none-lacks-kubernetes = That says that the container keeps ending, not why; please post `kubectl logs POD --previous` and the end of `kubectl describe pod POD`.
none-lacks-systemd = That says that the service has ended, not why; please post `journalctl -u NAME -b --no-pager | tail -50`.
none-lacks-ci = That is only the end of the step; please open it and post the lines above, from the first that says what failed.
none-lacks-exit-code = A code at the end says that something has failed, not what; please post what was printed before it, with the command you ran.

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
command-reading-name = reading
command-reading-description = Paste links, screenshots, and what happens to messages with secrets
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
command-catalogue-name = catalogue
command-catalogue-description = Which documented errors this server sees
command-catalogue-add-name = add
command-catalogue-add-description = See the errors of a repository, or of a family of errors; what is not chosen is not seen
command-catalogue-add-option-name = name
command-catalogue-add-option-description = A repository as owner/name, or a family of errors
command-catalogue-remove-name = remove
command-catalogue-remove-description = Take a repository or a family of errors out of the choice
command-catalogue-remove-option-description = What was chosen
command-catalogue-list-name = list
command-catalogue-list-description = What this server sees, with the number of errors
command-catalogue-search-name = search
command-catalogue-search-description = Find repositories and families of errors by name, or by the errors they document
command-catalogue-search-words-name = words
command-catalogue-search-words-description = A piece of the name, or words of an error
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
form-reading-title = What Errata reads and does
form-reading-reads = Reads besides
form-reading-reads-help = Beside messages, text files and packed logs
form-reading-links-box = Links to paste sites
form-reading-links-box-help = Fetches the text behind them from the sites it knows, and from those below
form-reading-pictures-box = Screenshots
form-reading-pictures-box-help = Reads the text in pictures, on the bot’s own machine
form-reading-pictures-lacking = Not installed with this bot: pip install errata-bot[ocr]
form-reading-hosts = Paste sites of your own
form-reading-hosts-help = Host names, divided by spaces; without https://, port or path
form-reading-does = Secrets and texts
form-reading-does-help = Only of what Errata reads: not in channels that are off
form-reading-secrets-box = Delete messages that show a secret
form-reading-secrets-box-help = Their author gets the text back privately, without it. Needs Manage Messages
form-reading-texts-box = Keep texts of unanswered questions
form-reading-texts-box-help = Without secrets, for your helpers; switching it off deletes them

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
changes-reads-links = Reads links to paste sites
changes-link-hosts = Paste sites of your own
changes-reads-pictures = Reads screenshots
changes-deletes-secrets = Deletes messages that show a secret
changes-none-of-them = none
changes-muted = Muted
changes-repository = Repository
changes-family = Family of errors
changes-seen = chosen, its errors are seen here
changes-not-chosen = not chosen
changes-yes = yes
changes-no = no

## Status

status-title = Errata
status-here = Here
status-version = Version { $version }, catalogue { $catalogue }
status-catalogue = { $records } documented errors of { $repositories } repositories
status-dataset = Dataset of { $version }: { $added } added, { $changed } changed, { $gone } gone
status-refresh-problem = The newest dataset was not taken over: { $why }
status-patterns = { $patterns } patterns, { $refused } refused
status-index = Index: { $records } records, compared by { $encoder }
status-not-installed = from a checkout
status-no-encoder = words alone
status-latency = Gateway latency { $milliseconds } ms
status-degraded = Degraded: { $why }
status-silenced = Silenced by its operator
status-mode = Mode { $mode }
status-reads = Also reads: { $what }
status-reads-links = links to paste sites
status-reads-pictures = screenshots
status-pictures-lacking = Screenshots cannot be read: pip install errata-bot[ocr]
status-deletes-secrets = Deletes messages that show a secret
status-cannot-delete = Messages that show a secret stay, and their authors are only warned. I lack: { $permissions }
status-keeps-texts = Keeps texts of unanswered questions, without secrets
status-sees =
    { $records ->
        [one] Of the catalogue, this server sees 1 documented error.
       *[other] Of the catalogue, this server sees { $records } documented errors.
    }
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
permission-manage-messages = Manage Messages

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

## What a server chose from the catalogue

catalogue-title = What this server sees of the catalogue
catalogue-everything = Everything: { $records } documented errors of { $repositories } repositories. Choose with /catalogue add, and only what is chosen is seen.
catalogue-repository =
    { $records ->
        [one] 1 documented error
       *[other] { $records } documented errors
    }
catalogue-family =
    { $records ->
        [one] a family with 1 documented error
       *[other] a family with { $records } documented errors
    }
catalogue-seen = Together { $records } of { $total } documented errors.
catalogue-found = In the catalogue, for “{ $query }”
catalogue-holds = { $records } of { $total } documented errors have these words
catalogue-chosen = chosen
catalogue-nothing-found = No repository, no family and no documented error has these words.
catalogue-unknown = The catalogue has no repository and no family of errors called { $name }. /catalogue search finds what there is.
catalogue-unknown-but-near = The catalogue has no repository and no family of errors called { $name }; did you mean { $near }?
catalogue-not-chosen = { $name } is not chosen here; /catalogue list shows what is.
catalogue-nothing-chosen = { $name } is not chosen here: nothing is, and so this server sees everything.
catalogue-all-again = That was the last choice: from now on this server sees the whole catalogue again.

## Notices

found-title = Documented errors
notice-incident = Something went wrong on my side; it is logged as incident { $incident }.
notice-silenced = I have been told to be silent for now; please try again later.
notice-not-allowed = You may not do that here.
notice-needs-manage-guild = That needs the permission Manage Server.
notice-bad-host = { $host } is not the name of a public host; give names like paste.example.org, without https://, port or path. Nothing was changed.
notice-too-many-hosts = At most { $most } paste sites of your own can be kept. Nothing was changed.
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
leak-deleted = I have deleted your message in { $url }: it shows what looks like a credential, and this server wants such messages gone. Others may have read it before, so please revoke it.
leak-deleted-aloud = I have deleted a message that showed what looks like a credential, and could not write to its author directly. Please revoke it.
leak-given-back = Here is what I had read of your message, without the credential; you can post it again. What I cannot read, a picture for instance, is not among it.
leak-not-given-back =
    { $count ->
        [one] One more text was too large to give back.
       *[other] { $count } more texts were too large to give back.
    }
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
