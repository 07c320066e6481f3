"""Errors of Git and of OpenSSH, which speaks through Git as often as for itself."""

from bot.pastes.readers.found import Role
from bot.pastes.readers.line_rules import RuleReader, rule

# `error:` is said by compilers too, so these are Git's own words.
_GIT_ERROR = (
    r"(?:failed to push some refs to .+|pathspec .+ did not match any file.*|"
    r"Your local changes to the following files.+|"
    r"The following untracked working tree files.+|RPC failed.+|src refspec .+ does not match any|"
    r"cannot lock ref .+|unable to (?:create|read|write|unlink|resolve|append|delete).+|could not (?:apply|lock|"
    r"read|detach|commit).+|The branch .+ is not fully merged.*|[Cc]annot (?:delete|pull|rebase|merge|open|update).+|"
    r"(?:object file|inflate|bad signature|invalid object|unpack failed|remote unpack failed|patch failed|"
    r"insufficient permission|refusing to|untracked working tree|Entry|you need to resolve|Merging is not|"
    r"Pulling is not|Committing is not|cherry-pick|No such remote|remote .+ already exists|"
    r"waiting for your editor|gpg failed to sign|branch .+ not found|switch `|bad tree|object .+ is).*)"
)
_GIT_FATAL = (
    r"(?:not a git repository.*|refusing to merge unrelated histories|unable to access .+|repository .+ not found|"
    r"detected dubious ownership.+|Could not read from remote repository\.|Authentication failed for .+|"
    r"ambiguous argument .+|bad (?:object|revision) .+|remote \S+ already exists\.|early EOF|"
    r"index-pack failed|could not read Username for .+|The current branch .+ has no upstream branch\.|"
    r"Not possible to fast-forward.*|couldn't find remote ref .+|[Uu]nable to create .+\.lock.+|"
    r"destination path .+ already exists.+|the remote end hung up.*|a branch named .+ already exists)"
)
_URL_STATUS = r"(?P<message>unable to access .+: The requested URL returned error: (?P<status>\d{3}).*)"

GIT = RuleReader(
    "git",
    (
        rule(rf"^(?:fatal: )?{_URL_STATUS}$"),
        rule(
            r"^(?:remote: )?error: (?P<code>GH\d{3}): (?P<message>.+)$",
            also=r"^remote: error: (?P<message>.+)$",
        ),
        rule(
            r"^(?:error: )?(?P<message>(?:Your local changes to|The following untracked working tree).+:)$",
            also=r"^(?:(?P<message>[^\s:]+(?:/\S+|\.\w+))|Please .+|Aborting)$",
        ),
        rule(
            rf"^(?:fatal: )?(?P<message>{_GIT_FATAL})$",
            also=r"^(?P<message>Please make sure you have the correct access rights|and the repository exists\.)$",
        ),
        # ansible's `fatal: [host]:` and a compiler's `fatal error` are others' words
        rule(
            r"^fatal: (?P<message>[^\[\s].*)$", also=r"^Use '--' to separate paths from revisions.*|^'git <command>.*"
        ),
        rule(
            rf"^error: (?P<message>{_GIT_ERROR})$",
            also=r"^(?:hint: .*|To .*fetch first.*|Please .+)$",
        ),
        rule(r"^remote: (?:ERROR|fatal|error): (?P<message>.+)$"),
        rule(
            r"^remote: (?P<message>(?:Permission to .+ denied to .+|Repository not found\.|Invalid username or .+|"
            r"Support for password authentication was removed.+|Write access to repository not granted\.|"
            r"HTTP Basic: Access denied.*|You are not allowed to .+))$",
            role=Role.ROOT_CAUSE,
        ),
        rule(r"^! \[(?:remote )?rejected\]\s+(?P<message>\S.* -> .+ \(.+\))$", role=Role.ROOT_CAUSE, code="rejected"),
        rule(r"^CONFLICT \((?P<code>[\w/ -]+)\): (?P<message>.+)$", role=Role.ROOT_CAUSE),
        rule(r"^(?P<message>Automatic merge failed; fix conflicts and then commit the result\.)$"),
        rule(r"^git: (?P<message>'[^']+' is not a git command\. See 'git --help'\.)$"),
        rule(r"^(?:git-lfs|batch response|LFS): (?P<message>.+)$"),
    ),
)

_REASON = (
    r"(?:Connection (?:refused|timed out|reset by peer|closed)|No route to host|Network is unreachable|"
    r"Operation timed out|Host is down|Undefined error: 0)"
)

SSH = RuleReader(
    "ssh",
    (
        rule(rf"^ssh: (?P<message>connect to host \S+ port \d+: {_REASON})$"),
        rule(r"^ssh: (?P<message>Could not resolve hostname .+)$"),
        rule(
            r"^(?:\S+@\S+: |\S+: )?(?P<message>Permission denied \((?:publickey|password|keyboard-interactive|"
            r"gssapi[\w-]*|hostbased)[\w,-]*\)\.?)$",
            role=Role.ROOT_CAUSE,
        ),
        rule(
            r"^@?\s*(?:WARNING: )?(?P<message>REMOTE HOST IDENTIFICATION HAS CHANGED!)\s*@?$",
            also=r"^(?:@+|IT IS POSSIBLE .+|Someone could be .+|It is also possible .+|The fingerprint for .+|\S+:\S+|"
            r"Please contact .+|Add correct host key .+|Offending \S+ key in (?P<file>\S+):(?P<line>\d+)|"
            r"remove with:|ssh-keygen .+|Host key for .+|\S+ host key for .+)$",
            role=Role.ROOT_CAUSE,
        ),
        rule(r"^(?P<message>Host key verification failed\.?)$"),
        rule(r"^No \S+ host key is known for \S+ and you have requested strict checking\.$", role=Role.ROOT_CAUSE),
        rule(
            r"^@?\s*(?:WARNING: )?(?P<message>UNPROTECTED PRIVATE KEY FILE!)\s*@?$",
            also=r"^(?:@+|(?P<message>Permissions \d+ for '.+' are too open\.)|It is required .+|"
            r"This private key will be ignored\.|bad permissions.*)$",
            role=Role.ROOT_CAUSE,
        ),
        rule(r"^(?P<message>Load key \".+\": .+)$", role=Role.ROOT_CAUSE),
        rule(r"^(?P<message>Bad owner or permissions on .+)$"),
        rule(
            r"^(?P<file>\S*ssh\S*): line (?P<line>\d+): "
            r"(?P<message>(?:Bad configuration option|[Uu]nsupported option|missing argument|keyword |garbage).*)$"
        ),
        rule(r"^(?P<file>\S*ssh\S*config): (?P<message>terminating, \d+ bad configuration options)$"),
        rule(r"^(?P<message>Unable to negotiate with .+: no matching .+ found\..*)$"),
        rule(
            r"^(?:kex_exchange_identification|ssh_exchange_identification|banner exchange|client_loop|"
            r"packet_write_wait|"
            r"ssh_dispatch_run_fatal|mux_client_request_session|channel \d+|ssh_packet_\w+): (?P<message>.+)$"
        ),
        rule(r"^(?P<message>Received disconnect from .+)$", also=r"^Disconnected from .+$"),
        rule(r"^(?P<message>Connection (?:closed|reset) by (?:remote host|(?:\S+ )*[\d.:a-fA-F]+ port \d+)\.?)$"),
        rule(r"^(?P<message>Connection to \S+ (?:closed by remote host|timed out)\.?)$"),
        rule(r"^(?:scp|sftp|ssh-copy-id|ssh-add|ssh-keygen): (?:ERROR: )?(?P<message>.+)$"),
        rule(r"^(?:.{0,60}\bsshd(?:-session)?\[\d+\]: )(?:error|fatal): (?P<message>.+)$"),
        rule(r"^(?P<message>Could not open a connection to your authentication agent\.)$"),
        rule(r"^(?P<message>(?:Error connecting to agent|sign_and_send_pubkey): .+)$", role=Role.ROOT_CAUSE),
        rule(r"^(?P<message>bind \[[^\]]+\]:\d+: Address already in use)$"),
    ),
)
