# Die Wörter der Oberfläche auf Deutsch. Die Anleitung steht am Anfang von en.ftl.

## How an answer is known

card-exact = Genauer Treffer
card-guess = Beste Vermutung · zu etwa { $percent } % richtig
card-related = Verwandter Fehler
card-looked-up = Aus dem Katalog
card-how-exact = Die dokumentierte Meldung steht im geposteten Text.
card-how-guess = Keine dokumentierte Meldung stimmt wörtlich; diese kommt am nächsten.
card-how-related = Diese Seite nennt den geposteten Fehler als verwandt.
card-how-looked-up = Nach Name oder Nummer nachgeschlagen.

## The card

card-what-to-do = Was zu tun ist
card-hidden-steps =
    { $count ->
        [one] Ein weiterer Schritt unter „Mehr“.
       *[other] { $count } weitere Schritte unter „Mehr“.
    }
card-shortened = Gekürzt: der ganze Text steht unter „Mehr“.
card-ai-assisted = Analyse mit KI-Hilfe
card-no-location = Stelle unbekannt
card-source = { $place } @ { $commit }, { $date }

severity-critical = kritisch
severity-error = Fehler
severity-warning = Warnung
severity-info = Hinweis

## Buttons

button-more = Mehr
button-helpful = Hilfreich
button-wrong = Nicht mein Fehler
button-dismiss = Ausblenden
button-source = Quelle
button-page = Ganze Seite
button-show = Zeigen
button-others =
    { $count ->
        [one] Ein weiterer Fehler im Log
       *[other] { $count } weitere Fehler im Log
    }

## Behind "More"

details-meaning = Was er bedeutet
details-solutions = Lösungen
details-example-fix = Beispiel
details-triggers = Was ihn auslöst
details-situations = Häufige Situationen
details-prevention = Vorbeugen
details-snippets = Absichernder Code
details-source = Wo er entsteht
details-related = Verwandte Fehler
details-in-file = Vollständig in der angehängten Datei { $name }.
details-rest-in-file = Gekürzt: der ganze Text steht in der angehängten Datei { $name }.

## Further errors and links

others-title =
    { $count ->
        [one] Ein weiterer Fehler in diesem Log
       *[other] { $count } weitere Fehler in diesem Log
    }
link-same-error = Derselbe Fehler, hier beantwortet:

## No answer

none-no-match =
    Ich habe { $parts } durchgesehen und kenne keinen dokumentierten Fehler darin; poste die ganze Ausgabe ab der ersten Zeile, die sagt, was schiefging, und den Befehl dazu.
none-no-match-no-error =
    Ich habe { $parts } durchgesehen und nichts gefunden, das wie ein Fehler aussieht; poste die Ausgabe des Programms ab der ersten Zeile, die sagt, was schiefging.
none-part-message =
    { $lines ->
        [one] deine Nachricht (eine Zeile)
       *[other] deine Nachricht ({ $lines } Zeilen)
    }
none-part-file =
    { $lines ->
        [one] { $name } (eine Zeile)
       *[other] { $name } ({ $lines } Zeilen)
    }
none-part-rest =
    { $count ->
        [one] eine weitere Datei
       *[other] { $count } weitere Dateien
    }
none-and = { $first } und { $last }
none-unreachable = Ich konnte { $name } dort, wo es liegt, nicht abrufen; bitte lade es noch einmal hoch oder füge den Text ein.
none-too-big = { $name } ist mir zu groß; bitte poste nur den Teil um den Fehler herum.
none-unsupported = { $name } hat eine Form, die ich nicht lesen kann; bitte poste den Text selbst oder eine .txt- oder .log-Datei.
none-empty = In { $name } steht kein Text; bitte füge ein, was das Programm ausgegeben hat.
none-dump = { $name } ist der Speicher eines Programms (ein Absturzabbild), den nur ein Debugger lesen kann; bitte öffne es in einem (`gdb`, `lldb`, WinDbg) und poste den Stacktrace.
none-encrypted = { $name } ist mit einem Passwort gesperrt; bitte poste es ohne.
none-damaged = { $name } ist beschädigt oder beim Schreiben abgebrochen; bitte packe es neu, lade es noch einmal hoch oder füge den Text ein.
none-bomb = { $name } wird ausgepackt weit größer, als seine Größe erlaubt, darum habe ich aufgehört; bitte poste nur den Teil um den Fehler herum.
none-nested = { $name } steckt mir in zu vielen Archiven; bitte packe es aus und poste das Log selbst.
none-too-many = { $name } enthält mehr Dateien, als ich ansehe; bitte poste das Log selbst.
none-unsafe-name = { $name } hat einen Namen, der aus dem Archiv hinausführt, darum habe ich es nicht geöffnet; bitte poste das Log selbst.
none-not-a-log = Ausgelassen habe ich { $name }, weil es nicht nach der Ausgabe eines Programms aussieht.
none-skipped-rest =
    { $count ->
        [one] Eine weitere Datei konnte ich nicht lesen.
       *[other] { $count } weitere Dateien konnte ich nicht lesen.
    }
none-your-message = deiner Nachricht
none-busy = Ich beantworte gerade viele Fragen; bitte frag in einer Minute noch einmal.
none-degraded = Gerade konnten nur genaue Meldungen gesucht werden.

## Commands

command-explain-menu-name = Diesen Fehler erklären
command-error-name = fehler
command-error-description = Herausfinden, was ein Fehler bedeutet
command-explain-name = erklären
command-explain-description = Einen Fehler aus seinem Text oder einer Logdatei erklären
command-explain-text-name = text
command-explain-text-description = Was das Programm ausgegeben hat; leer lassen für ein großes Textfeld
command-explain-file-name = datei
command-explain-file-description = Eine Log- oder Textdatei
command-search-name = suchen
command-search-description = Die dokumentierten Fehler durchsuchen
command-search-words-name = wörter
command-search-words-description = Wörter aus der Meldung oder ihrer Bedeutung
command-search-repo-name = repo
command-search-repo-description = Nur Fehler dieses Repositorys (owner/name)
command-show-name = zeigen
command-show-description = Einen dokumentierten Fehler zeigen
command-show-record-name = eintrag
command-show-record-description = Seine Nummer, oder owner/repository/name

## Commands for admins, and about oneself

command-errata-name = errata
command-errata-description = Einstellungen und Zustand von Errata auf diesem Server
command-settings-name = einstellungen
command-settings-description = Wo Errata spricht, wer hier hilft, Abstand und Sprache
command-undo-name = zurücknehmen
command-undo-description = Die letzte Änderung der Einstellungen zurücknehmen
command-status-name = zustand
command-status-description = Version, Katalog, und was Errata in diesem Kanal nicht darf
command-mute-name = stumm
command-mute-description = Einen dokumentierten Fehler auf diesem Server nie ungefragt zeigen
command-mute-record-name = eintrag
command-mute-record-description = Seine Nummer, oder owner/repository/name
command-unmute-name = laut
command-unmute-description = Einen stummen Fehler wieder zeigen
command-privacy-name = datenschutz
command-privacy-description = Was Errata von dir behält
command-privacy-show-name = zeigen
command-privacy-show-description = Alles sehen, was Errata von dir behält
command-privacy-delete-name = löschen
command-privacy-delete-description = Alles löschen, was Errata von dir behält
command-privacy-opt-out-name = abmelden
command-privacy-opt-out-description = Nie ungefragt beantwortet werden
command-privacy-opt-in-name = anmelden
command-privacy-opt-in-description = Wieder ungefragt beantwortet werden, wo ein Server das will

## Forms

form-paste-title = Einen Fehler erklären
form-paste-label = Was das Programm ausgegeben hat
form-paste-placeholder = Ab der ersten Zeile, die sagt, was schiefging
form-settings-title = Einstellungen von Errata
form-settings-channels = Kanäle
form-settings-channels-help = Für welche der Modus unten gilt; keiner heißt alle ohne eigenen Modus
form-settings-mode = Modus
form-settings-mode-help = Wann Errata dort spricht; leer bleibt alles, wie es ist
form-settings-helpers = Helferrollen
form-settings-helpers-help = Wo sie in einem Thread schreiben, schweigt Errata
form-settings-cooldown = Abstand
form-settings-cooldown-help = Wie lange ein Fehler derselben Person oder im selben Thread nicht neu erklärt wird
form-settings-language = Sprache
form-settings-language-help = Die Sprache der Antworten auf diesem Server

mode-off = aus: spricht nie
mode-mention = Erwähnung: antwortet, wenn man es erwähnt
mode-exact = genau: zeigt auch ungefragt genaue Treffer
mode-exact-and-nearest = genau+nah: zeigt auch ungefragt Vermutungen
mode-default = wie überall sonst
language-en = English (Englisch)
language-de = Deutsch
duration-none = keiner
duration-hours =
    { $count ->
        [one] 1 Stunde
       *[other] { $count } Stunden
    }
duration-minutes =
    { $count ->
        [one] 1 Minute
       *[other] { $count } Minuten
    }
duration-seconds =
    { $count ->
        [one] 1 Sekunde
       *[other] { $count } Sekunden
    }

## Changed settings

changes-title = Geändert, ab sofort:
changes-undone = Zurückgenommen:
changes-none = Es hat sich nichts geändert.
changes-none-to-undo = Es gibt keine Änderung zurückzunehmen.
changes-more =
    { $count ->
        [one] und eine weitere
       *[other] und { $count } weitere
    }
changes-default = die Vorgabe
changes-default-mode = Modus aller anderen Kanäle
changes-helper-roles = Helferrollen
changes-cooldown-seconds = Abstand
changes-language = Sprache
changes-keeps-texts = Behält Texte unbeantworteter Fragen
changes-muted = Stumm
changes-yes = ja
changes-no = nein

## Status

status-title = Errata
status-here = Hier
status-version = Version { $version }, Katalog { $catalogue }
status-catalogue = { $records } dokumentierte Fehler aus { $repositories } Repositorys
status-patterns = { $patterns } Muster, { $refused } abgelehnt
status-index = Index: { $records } Einträge, verglichen durch { $encoder }
status-not-installed = aus einem Checkout
status-no-encoder = Wörter allein
status-latency = Verzögerung des Gateways { $milliseconds } ms
status-degraded = Eingeschränkt: { $why }
status-silenced = Vom Betreiber stumm geschaltet
status-mode = Modus { $mode }
status-missing = Ich kann hier nicht antworten. Mir fehlt: { $permissions }
status-missing-comforts = Ich kann hier antworten. Hilfreich wäre: { $permissions }
status-nothing-missing = Ich habe alle Rechte, die ich brauche
status-refused = Discord hat hier in den letzten Minuten eine Nachricht abgelehnt (Code { $code })
status-muted =
    { $count ->
        [one] Ein stummer Fehler:
       *[other] { $count } stumme Fehler:
    }
permission-view-channel = Kanal anzeigen
permission-send-messages = Nachrichten senden
permission-send-messages-in-threads = Nachrichten in Threads senden
permission-read-message-history = Nachrichtenverlauf anzeigen
permission-attach-files = Dateien anhängen

## Privacy

privacy-general = Was du schreibst, behalte ich nicht. { $answers } Tage lang merke ich mir, welche deiner Nachrichten ich mit welchem Fehler beantwortet habe und wie du abgestimmt hast, und { $questions } Tage lang einen Fingerabdruck der Fragen, die ich nicht beantworten konnte. Löschst du eine Nachricht, ist auch gelöscht, was davon behalten wurde.
privacy-nothing = In diesem Moment ist nichts von dir gespeichert.
privacy-answers =
    { $count ->
        [one] eine beantwortete Nachricht
       *[other] { $count } beantwortete Nachrichten
    }
privacy-votes =
    { $count ->
        [one] eine Stimme
       *[other] { $count } Stimmen
    }
privacy-questions =
    { $count ->
        [one] eine unbeantwortete Frage
       *[other] { $count } unbeantwortete Fragen
    }
privacy-texts =
    { $count ->
        [one] ein Text ohne Geheimnisse, weil ein Server sie behält
       *[other] { $count } Texte ohne Geheimnisse, weil ein Server sie behält
    }
privacy-changes =
    { $count ->
        [one] eine Änderung an Einstellungen eines Servers
       *[other] { $count } Änderungen an Einstellungen von Servern
    }
privacy-opted-out-since = in Ruhe gelassen seit { $date }
privacy-deleted =
    { $count ->
        [0] Es gab nichts zu löschen.
        [one] Gelöscht: ein Eintrag.
       *[other] Gelöscht: { $count } Einträge.
    }
privacy-opted-out = Ab jetzt antworte ich dir nur noch, wenn du mich fragst. /privacy opt-in nimmt das zurück.
privacy-opted-in = Ich darf dir wieder ungefragt antworten, wo ein Server das will.

## Notices

found-title = Dokumentierte Fehler
notice-incident = Bei mir ist etwas schiefgegangen; es steht als Vorfall { $incident } im Protokoll.
notice-silenced = Ich soll im Moment schweigen; bitte versuche es später noch einmal.
notice-not-allowed = Das darfst du hier nicht.
notice-needs-manage-guild = Dafür braucht es das Recht „Server verwalten“.
notice-may-not-dismiss = Nur wer gefragt hat, Helfer und Moderatoren können das ausblenden.
notice-thanks = Danke, das hilft, Antworten zu ordnen.
notice-vote-counted = Danke, notiert. Wer gefragt hat, Helfer und Moderatoren können die Karte auch ersetzen oder entfernen.
notice-withdrawn = Danke, notiert. Ich kenne keinen anderen passenden Fehler und habe die Karte entfernt.
notice-record-gone = Diesen Fehler gibt es im Katalog nicht mehr.
notice-no-such-record = So einen Eintrag kenne ich nicht; wähle einen Vorschlag, oder gib seine Nummer oder owner/repository/name an.
notice-nothing-found = Kein dokumentierter Fehler enthält diese Wörter.

# --- Warum ein Eintrag gefunden wurde: Teile eines Satzes, verbunden durch "; " ------------------------------
reason-whole-line = seine Meldung ist die ganze Zeile
reason-in-text = seine Meldung steht im Text
reason-related = ein Fehler, den seine Seite als verwandt nennt, steht im Text
reason-line-named = { $subject } wird genannt
reason-file-named = { $subject } wird mit seinem Ordner genannt
reason-class-before = { $subject } steht davor
reason-class-seen = { $subject } kommt vor
reason-code-seen = der Code { $subject } kommt vor
reason-status-seen = Status { NUMBER($number, useGrouping: 0) } kommt vor
reason-package = { $subject } wird erwähnt
reason-same-message = { $number ->
    [one] ein weiterer Eintrag sagt dasselbe
   *[other] { $number } weitere Einträge sagen dasselbe
}
reason-explains-more = er erklärt mehr von der Zeile als jeder andere
reason-joined = Zeilen wurden zusammengefügt
reason-close = das Geschriebene ähnelt { $subject }
reason-words-shared = { $number } % der aussagekräftigen Wörter seiner Meldung kommen vor
reason-nearest = von allen Einträgen kommt das Geschriebene { $subject } am nächsten
facet-message = seiner Meldung
facet-meaning = seiner Bedeutung
facet-trigger = seinen Auslösern

## Warnungen: eine Nachricht zeigt etwas, womit andere sich anmelden könnten

leak-message = Deine Nachricht { $url } zeigt etwas, das nach Zugangsdaten aussieht. Alle dort konnten sie lesen; bitte mache sie ungültig und lösche oder ändere dann die Nachricht.
leak-given = Was du mir gegeben hast, zeigt etwas, das nach Zugangsdaten aussieht. Diese Antwort siehst nur du; falls du sie sonst irgendwo gepostet hast, mache sie bitte ungültig.
leak-aloud = Diese Nachricht zeigt etwas, das nach Zugangsdaten aussieht, und ich konnte ihrem Verfasser nicht direkt schreiben. Bitte mache sie ungültig und lösche oder ändere dann die Nachricht.
leak-more =
    { $count ->
        [one] und eine weitere Art
       *[other] und { $count } weitere Arten
    }
leak-after = Ich behalte nichts davon und habe es nirgends ausprobiert. Löschen allein genügt nicht, sobald andere es gesehen haben. Ist es ein erfundenes Beispiel, gibt es nichts zu tun.
leak-kind-discord-token = Discord-Bot-Token: unter https://discord.com/developers/applications deine Anwendung öffnen, Seite Bot, und Reset Token drücken.
leak-kind-discord-webhook = Discord-Webhook: in den Einstellungen seines Kanals unter Integrationen, Webhooks löschen und einen neuen anlegen.
leak-kind-slack-webhook = Slack-Webhook: unter https://api.slack.com/apps die App öffnen, Seite Incoming Webhooks, und ihn entfernen.
leak-kind-slack-token = Slack-Token: unter https://api.slack.com/apps die App öffnen, Seite OAuth & Permissions, die Tokens widerrufen und sie neu installieren.
leak-kind-github-token = GitHub-Token: unter https://github.com/settings/tokens löschen; das einer App in ihren Einstellungen widerrufen.
leak-kind-gitlab-token = GitLab-Token: in deinen Einstellungen oder denen des Projekts oder der Gruppe unter Zugriffstoken widerrufen.
leak-kind-aws-key = AWS-Zugriffsschlüssel: in der IAM-Konsole den Benutzer öffnen, Security credentials, den Schlüssel deaktivieren und einen neuen anlegen.
leak-kind-anthropic-key = Anthropic-Schlüssel: unter https://console.anthropic.com/settings/keys löschen.
leak-kind-openai-key = OpenAI-Schlüssel: unter https://platform.openai.com/api-keys löschen.
leak-kind-stripe-key = Stripe-Schlüssel: unter https://dashboard.stripe.com/apikeys erneuern; das Geheimnis eines Webhooks auf der Seite seines Endpunkts.
leak-kind-npm-token = npm-Token: auf https://www.npmjs.com unter deinem Bild, Access Tokens, löschen; oder `npm token revoke` mit seiner Id.
leak-kind-pypi-token = PyPI-Token: unter https://pypi.org/manage/account/ bei API tokens entfernen.
leak-kind-google-key = Google-Schlüssel: unter https://console.cloud.google.com/apis/credentials löschen oder erneuern.
leak-kind-hugging-face-token = Hugging-Face-Token: unter https://huggingface.co/settings/tokens ungültig machen.
leak-kind-telegram-token = Telegram-Bot-Token: /revoke an @BotFather schicken.
leak-kind-sendgrid-key = SendGrid-Schlüssel: unter https://app.sendgrid.com/settings/api_keys löschen.
leak-kind-jwt = Token einer Sitzung (JWT): bei dem Dienst überall abmelden oder es dessen Betreiber widerrufen lassen; es kann bis zu seinem Ablauf gelten.
leak-kind-cookie = Cookies einer Sitzung: bei der Website abmelden, das beendet die Sitzung; den Browser zu schließen genügt nicht.
leak-kind-authorization = Ein Authorization-Header: das Token darin widerrufen oder das Passwort darin ändern.
leak-kind-credentials = Benutzername und Passwort in einer Adresse: das Passwort ändern, auch wo du es sonst benutzt.
leak-kind-secret = Ein Passwort oder Schlüssel hinter seinem Namen: ändern, auch wo du es sonst benutzt.
leak-kind-private-key = Ein privater Schlüssel: ein neues Paar erzeugen und den alten öffentlichen Schlüssel oder das Zertifikat überall entfernen, wo ihm vertraut wird.
