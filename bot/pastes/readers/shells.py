"""Errors of shells: bash, zsh, dash, fish and cmd, and of the small tools they call."""

from bot.pastes.readers.line_rules import RuleReader, rule

# How the C library words the commonest failures; every small tool prints them behind its own name.
_ERRNO = (
    r"(?:No such file or directory|Permission denied|Operation not permitted|Is a directory|Not a directory|"
    r"File exists|Directory not empty|No space left on device|Read-only file system|Too many open files|"
    r"Argument list too long|Exec format error|Device or resource busy|Text file busy|Broken pipe|Input/output error|"
    r"Cannot allocate memory|Bad file descriptor|File name too long|Resource temporarily unavailable|"
    r"cannot execute binary file(?:: Exec format error)?|cannot execute: required file not found|"
    r"bad interpreter: No such file or directory)"
)
# Small tools that say nothing but this; others, and `error:` itself, have readers of their own.
_TOOLS = (
    r"cat|cd|cp|mv|rm|rmdir|mkdir|ls|ln|touch|chmod|chown|chgrp|tar|grep|e?grep|sed|g?awk|find|head|tail|tee|"
    r"sort|du|df|dd|"
    r"install|env|xargs|stat|diff|less|more|wc|cut|mount|umount|nohup|mktemp|readlink|realpath|source|rsync|"
    r"unzip|gzip|"
    r"gunzip|bzip2|xz|zstd|patch|split|shred|truncate|tree|file|which|nano|vim|crontab|su|sudo|chroot|dirname"
)
_SHELL_SAYS = (
    r"(?:\S.*: (?:command )?not found|syntax error.*|unexpected EOF while .+|"
    r".+: (?:unbound variable|readonly variable|bad substitution|ambiguous redirect|integer expression expected|"
    r"unary operator expected|binary operator expected|too many arguments|numeric argument required|"
    r"not a valid identifier|invalid option|parameter null or not set|event not found|no job control in this shell)|"
    rf".+: {_ERRNO}|"
    r"warning: here-document .+|bad substitution: .+|division by 0.*|.+: division by 0.*)"
)

SHELL = RuleReader(
    "shell",
    (
        # bash in a script; the line it repeats behind a syntax error belongs to it
        rule(
            rf"^(?P<file>[^\s:][^:\n]*): line (?P<line>\d+): (?P<message>{_SHELL_SAYS})$",
            also=r"^[^\s:][^:\n]*: line \d+: `.*'$",
        ),
        # dash counts lines without the word
        rule(
            r"^(?P<file>[^\s:]+): (?P<line>\d+): "
            r"(?P<message>(?:\S.*: )?(?:not found|Syntax error: .+|Permission denied|parameter not set|"
            r"Bad substitution|cannot (?:open|create) .+))$"
        ),
        rule(rf"^-?(?:bash|sh|ash|ksh|rbash)(?:\.exe)?: (?P<message>{_SHELL_SAYS})$"),
        rule(
            r"^(?:-?zsh:|(?P<file>[^\s:][^:\n]*):(?P<line>\d+):) "
            r"(?P<message>(?:command not found|no matches found|permission denied|no such file or directory|"
            r"event not found|bad pattern|parse error near|bad substitution|unknown file attribute|"
            r"exec format error|no such user or named directory|not a directory|is a directory).*)$"
        ),
        rule(r"^fish: (?P<message>(?:Unknown command|Expected|Unsupported|Job \d|Invalid|Variables).*)$"),
        rule(
            r"^(?P<message>'[^'\n]+' is not recognized as an internal or external command,)"
            r"(?:\s*operable program or batch file\.)?$",
            also=r"^(?P<message>operable program or batch file\.)$",
        ),
        rule(r"^sudo: (?P<message>(?:.+: command not found|a (?:terminal|password) is required.*))$"),
        rule(rf"^(?:{_TOOLS}): (?P<message>[^:\n].*: {_ERRNO})$"),
    ),
)
