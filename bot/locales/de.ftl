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

card-read = Aus einem Bild gelesen:
card-read-unsure = Aus einem Bild gelesen, aber nicht sicher; bitte füge den Text selbst ein:
card-what-to-do = Was zu tun ist
card-hidden-steps =
    { $count ->
        [one] Ein weiterer Schritt unter „Mehr“.
       *[other] { $count } weitere Schritte unter „Mehr“.
    }
card-shortened = Gekürzt: der ganze Text steht unter „Mehr“.
card-ai-assisted = Analyse mit KI-Hilfe
card-no-location = Stelle unbekannt
card-outline = Von diesem Eintrag ist hier nur der Umriss geladen: Was er bedeutet und was zu tun ist, steht auf seiner Seite.
card-outline-source = noch nicht geladen
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
details-background = Über diese Art von Fehlern
details-background-causes = Häufige Ursachen dieser Art
details-background-fixes = Was bei dieser Art hilft
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
none-login = { $name } wird dort nur angemeldeten Leuten gezeigt; bitte lade das Log herunter und hier hoch oder füge den Teil um den Fehler herum ein.
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
none-picture = Bilder lese ich hier nicht; bitte füge den Text aus { $name } ein.
none-unsure = { $name } konnte ich nicht sicher lesen; bitte füge den Text daraus ein.
none-waiting = Bei mir warten gerade zu viele Bilder; bitte füge den Text aus { $name } ein.
none-from-picture = Was ich aus einem Bild lese, kann falsch gelesen sein; füge deshalb bitte den Text selbst ein.
none-not-a-log = Ausgelassen habe ich { $name }, weil es nicht nach der Ausgabe eines Programms aussieht.
none-skipped-rest =
    { $count ->
        [one] Eine weitere Datei konnte ich nicht lesen.
       *[other] { $count } weitere Dateien konnte ich nicht lesen.
    }
none-your-message = deiner Nachricht
none-busy = Ich beantworte gerade viele Fragen; bitte frag in einer Minute noch einmal.
none-degraded = Gerade konnten nur genaue Meldungen gesucht werden.

not-read =
    { $rest ->
        [0] Nicht gelesen: { $names }
        [one] Nicht gelesen: { $names } und eines mehr
       *[other] Nicht gelesen: { $names } und { $rest } mehr
    }
not-read-one = { $name } ({ $why })
not-read-unreachable = nicht erreichbar
not-read-login = nur mit Anmeldung
not-read-too-big = zu groß
not-read-unsupported = unbekannte Art
not-read-binary = kein Text
not-read-empty = leer
not-read-dump = ein Speicherabbild
not-read-encrypted = gesperrt
not-read-damaged = beschädigt
not-read-bomb = packt zu groß aus
not-read-nested = zu tief gepackt
not-read-too-many = zu viele Dateien
not-read-unsafe-name = unsicherer Name
not-read-not-a-log = kein Log
not-read-picture = ein Bild
not-read-unsure = unklares Bild
not-read-waiting = zu viele Bilder
none-looked-at = Ich habe { $parts } durchgesehen und kenne keinen dokumentierten Fehler darin.

none-lacks-python-cut = Der Traceback hört vor seiner letzten Zeile auf, der mit dem Fehler; bitte poste ihn bis zum Ende.
none-lacks-message-cut = Die letzte Zeile nennt den Fehler, aber seine Meldung hinter dem Doppelpunkt fehlt; bitte poste, was folgt.
none-lacks-rust-panic-cut = Die Meldung der Panic fehlt; bitte poste auch die Zeilen unter „panicked at“, und starte das Programm mit `RUST_BACKTRACE=1`.
none-lacks-rust-no-backtrace = Starte es noch einmal mit `RUST_BACKTRACE=1` und poste alles ab „panicked at“.
none-lacks-minified = Diese Aufrufe stammen aus verkleinertem Code, dessen Namen nichts sagen; bitte poste den Fehler aus einem Entwicklungs-Build oder mit Source-Maps.
none-lacks-stack-head = Das sind die Aufrufe eines Stacktrace von { $tool } ohne das, was darüber steht; bitte poste ihn ab der Zeile, die den Fehler nennt.
none-lacks-no-stack = Das ist eine Zeile eines Stacktrace; bitte poste ihn ganz, mit den Aufrufen darüber oder darunter, und den Befehl dazu.
none-lacks-memory = Code 137 heißt abgeschossen, meist aus Mangel an Speicher; bitte poste, was vorher ausgegeben wurde, und das Ende von `dmesg` oder `kubectl describe pod`.
none-lacks-segfault = „Segmentation fault“ sagt nicht, wo; starte das Programm in einem Debugger (`gdb --args …`, `run`, dann `bt`; auf dem Mac `lldb`, oder öffne den Dump mit `coredumpctl gdb`) und poste den Backtrace.
none-lacks-cargo = So endet { $tool } nur; der Fehler selbst steht weiter oben und beginnt mit „error[E…“ oder „error:“. `cargo build 2>&1 | tee build.log` hebt alles auf.
none-lacks-npm = So endet { $tool } nur; der Fehler selbst steht weiter oben, vor dem ersten „npm ERR!“, und in der Logdatei, die am Ende genannt ist.
none-lacks-package-script = So meldet { $tool } nur, dass das Skript gescheitert ist; bitte poste, was das Skript darüber ausgegeben hat.
none-lacks-linker = So endet der Linker nur; bitte poste die Zeilen darüber, etwa „undefined reference“ oder „cannot find -l…“.
none-lacks-make = So endet { $tool } nur; der Fehler selbst steht weiter oben. `make -j1 2>&1 | tee build.log` hebt alles in seiner Reihenfolge auf.
none-lacks-ninja = So endet { $tool } nur; bitte poste, was unter dem ersten „FAILED:“ steht. `ninja -j1` gibt es zuletzt aus.
none-lacks-cmake = So endet { $tool } nur; bitte poste die Zeilen ab dem ersten „CMake Error“.
none-lacks-xcode = So endet { $tool } nur; bitte poste die Zeilen mit „error:“ weiter oben, oder den ganzen Bericht des Schritts (Report navigator, Export).
none-lacks-gradle = So endet { $tool } nur; bitte poste, was unter „What went wrong“ steht, oder die Ausgabe mit `--stacktrace`.
none-lacks-maven = So endet { $tool } nur; bitte poste die Zeilen mit „[ERROR]“ ab der ersten, oder die Ausgabe von `mvn -e`.
none-lacks-dotnet-build = So endet { $tool } nur; bitte poste die Zeilen mit „error“ und einem Code wie CS1002 oder MSB3073 weiter oben.
none-lacks-pip = So meldet { $tool } nur, dass ein Paket nicht gebaut werden konnte; bitte poste die Ausgabe ab der ersten Zeile mit einem Fehler; `pip install -v` gibt alles aus.
none-lacks-docker-build = So meldet { $tool } nur, dass ein Schritt gescheitert ist; bitte poste, was der Schritt ausgegeben hat. `docker build --progress=plain --no-cache .` zeigt alles.
none-lacks-kubernetes = Das sagt, dass der Container immer wieder endet, nicht warum; bitte poste `kubectl logs POD --previous` und das Ende von `kubectl describe pod POD`.
none-lacks-systemd = Das sagt, dass der Dienst geendet hat, nicht warum; bitte poste `journalctl -u NAME -b --no-pager | tail -50`.
none-lacks-ci = Das ist nur das Ende des Schritts; bitte öffne ihn und poste die Zeilen darüber, ab der ersten, die sagt, was schiefging.
none-lacks-exit-code = Ein Code am Ende sagt, dass etwas gescheitert ist, nicht was; bitte poste, was davor ausgegeben wurde, und den Befehl dazu.

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
command-reading-name = lesen
command-reading-description = Paste-Links, Bildschirmfotos, und was mit Nachrichten voller Geheimnisse geschieht
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
command-catalogue-name = katalog
command-catalogue-description = Welche dokumentierten Fehler dieser Server sieht
command-catalogue-add-name = hinzufügen
command-catalogue-add-description = Fehler eines Repositorys oder einer Fehlerfamilie sehen; was nicht gewählt ist, wird nicht gezeigt
command-catalogue-add-option-name = name
command-catalogue-add-option-description = Ein Repository als owner/name, oder eine Fehlerfamilie
command-catalogue-remove-name = entfernen
command-catalogue-remove-description = Ein Repository oder eine Fehlerfamilie aus der Auswahl nehmen
command-catalogue-remove-option-description = Was gewählt wurde
command-catalogue-list-name = liste
command-catalogue-list-description = Was dieser Server sieht, mit der Zahl der Fehler
command-catalogue-search-name = suchen
command-catalogue-search-description = Repositorys und Fehlerfamilien nach Namen finden, oder nach Fehlern, die sie dokumentieren
command-catalogue-search-words-name = wörter
command-catalogue-search-words-description = Ein Stück des Namens, oder Wörter eines Fehlers
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
form-reading-title = Was Errata liest und tut
form-reading-reads = Liest außerdem
form-reading-reads-help = Neben Nachrichten, Textdateien und gepackten Logs
form-reading-links-box = Links zu Paste-Seiten
form-reading-links-box-help = Ruft den Text dahinter ab, von bekannten Seiten und von denen unten
form-reading-pictures-box = Bildschirmfotos
form-reading-pictures-box-help = Liest den Text in Bildern, auf dem Rechner des Bots selbst
form-reading-pictures-lacking = Bei diesem Bot nicht installiert: pip install errata-bot[ocr]
form-reading-hosts = Eigene Paste-Seiten
form-reading-hosts-help = Hostnamen, durch Leerzeichen getrennt; ohne https://, Port und Pfad
form-reading-does = Geheimnisse und Texte
form-reading-does-help = Nur bei dem, was Errata liest: nicht in Kanälen, die aus sind
form-reading-secrets-box = Nachrichten mit Geheimnissen löschen
form-reading-secrets-box-help = Der Verfasser bekommt den Text privat ohne sie zurück. Braucht „Nachrichten verwalten“
form-reading-texts-box = Texte unbeantworteter Fragen behalten
form-reading-texts-box-help = Ohne Geheimnisse, für deine Helfer; beim Abschalten werden sie gelöscht

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
changes-reads-links = Liest Links zu Paste-Seiten
changes-link-hosts = Eigene Paste-Seiten
changes-reads-pictures = Liest Bildschirmfotos
changes-deletes-secrets = Löscht Nachrichten, die ein Geheimnis zeigen
changes-none-of-them = keine
changes-muted = Stumm
changes-repository = Repository
changes-family = Fehlerfamilie
changes-seen = gewählt, seine Fehler werden hier gezeigt
changes-not-chosen = nicht gewählt
changes-yes = ja
changes-no = nein

## Status

status-title = Errata
status-here = Hier
status-version = Version { $version }, Katalog { $catalogue }
status-catalogue = { $records } dokumentierte Fehler aus { $repositories } Repositorys
status-dataset = Datensatz vom { $version }: { $added } neu, { $changed } geändert, { $gone } entfallen
status-refresh-problem = Der neueste Datensatz wurde nicht übernommen: { $why }
status-patterns = { $patterns } Muster, { $refused } abgelehnt
status-index = Index: { $records } Einträge, verglichen durch { $encoder }
status-not-installed = aus einem Checkout
status-no-encoder = Wörter allein
status-latency = Verzögerung des Gateways { $milliseconds } ms
status-degraded = Eingeschränkt: { $why }
status-silenced = Vom Betreiber stumm geschaltet
status-mode = Modus { $mode }
status-reads = Liest auch: { $what }
status-reads-links = Links zu Paste-Seiten
status-reads-pictures = Bildschirmfotos
status-pictures-lacking = Bildschirmfotos können nicht gelesen werden: pip install errata-bot[ocr]
status-deletes-secrets = Löscht Nachrichten, die ein Geheimnis zeigen
status-cannot-delete = Nachrichten, die ein Geheimnis zeigen, bleiben stehen; ihre Verfasser werden nur gewarnt. Mir fehlt: { $permissions }
status-keeps-texts = Behält Texte unbeantworteter Fragen, ohne Geheimnisse
status-sees =
    { $records ->
        [one] Vom Katalog sieht dieser Server 1 dokumentierten Fehler.
       *[other] Vom Katalog sieht dieser Server { $records } dokumentierte Fehler.
    }
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
permission-manage-messages = Nachrichten verwalten

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

## Was ein Server aus dem Katalog gewählt hat

catalogue-title = Was dieser Server vom Katalog sieht
catalogue-everything = Alles: { $records } dokumentierte Fehler aus { $repositories } Repositorys. Wähle mit /catalogue add aus, dann wird nur noch das Gewählte gezeigt.
catalogue-repository =
    { $records ->
        [one] 1 dokumentierter Fehler
       *[other] { $records } dokumentierte Fehler
    }
catalogue-family =
    { $records ->
        [one] eine Familie mit 1 dokumentierten Fehler
       *[other] eine Familie mit { $records } dokumentierten Fehlern
    }
catalogue-seen = Zusammen { $records } von { $total } dokumentierten Fehlern.
catalogue-found = Im Katalog, zu „{ $query }“
catalogue-holds = { $records } von { $total } dokumentierten Fehlern enthalten diese Wörter
catalogue-chosen = gewählt
catalogue-nothing-found = Kein Repository, keine Familie und kein dokumentierter Fehler enthält diese Wörter.
catalogue-unknown = Im Katalog heißt kein Repository und keine Fehlerfamilie { $name }. /catalogue search findet, was es gibt.
catalogue-unknown-but-near = Im Katalog heißt kein Repository und keine Fehlerfamilie { $name }; meinst du { $near }?
catalogue-not-chosen = { $name } ist hier nicht gewählt; /catalogue list zeigt, was es ist.
catalogue-nothing-chosen = { $name } ist hier nicht gewählt: Es ist nichts gewählt, also sieht dieser Server alles.
catalogue-all-again = Das war die letzte Auswahl: Ab jetzt sieht dieser Server wieder den ganzen Katalog.

## Notices

found-title = Dokumentierte Fehler
notice-incident = Bei mir ist etwas schiefgegangen; es steht als Vorfall { $incident } im Protokoll.
notice-silenced = Ich soll im Moment schweigen; bitte versuche es später noch einmal.
notice-not-allowed = Das darfst du hier nicht.
notice-needs-manage-guild = Dafür braucht es das Recht „Server verwalten“.
notice-bad-host = { $host } ist nicht der Name eines öffentlichen Hosts; gib Namen wie paste.example.org an, ohne https://, Port und Pfad. Geändert wurde nichts.
notice-too-many-hosts = Höchstens { $most } eigene Paste-Seiten können behalten werden. Geändert wurde nichts.
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
leak-deleted = Ich habe deine Nachricht in { $url } gelöscht: Sie zeigt etwas, das nach Zugangsdaten aussieht, und dieser Server will solche Nachrichten nicht stehen lassen. Andere können sie vorher gelesen haben; bitte mache sie ungültig.
leak-deleted-aloud = Ich habe eine Nachricht gelöscht, die etwas zeigte, das nach Zugangsdaten aussieht, und konnte ihrem Verfasser nicht direkt schreiben. Bitte mache sie ungültig.
leak-given-back = Hier ist, was ich von deiner Nachricht gelesen hatte, ohne die Zugangsdaten; du kannst es noch einmal posten. Was ich nicht lesen kann, ein Bild zum Beispiel, ist nicht dabei.
leak-not-given-back =
    { $count ->
        [one] Ein weiterer Text war zu groß, um ihn zurückzugeben.
       *[other] { $count } weitere Texte waren zu groß, um sie zurückzugeben.
    }
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
