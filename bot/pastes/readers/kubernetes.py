"""Errors of Kubernetes, as its API, its events and the states of its pods tell them, and of Helm."""

from bot.pastes.readers.found import Role
from bot.pastes.readers.line_rules import RuleReader, rule

_REASON = (
    r"(?P<code>Failed\w*|BackOff|Unhealthy|ErrImagePull|ImagePullBackOff|InspectFailed|NodeNotReady|Evicted|"
    r"OOMKill\w*|NetworkNotReady|Preempted|DeadlineExceeded|BackoffLimitExceeded|ProvisioningFailed|"
    r"InvalidDiskCapacity|FreeDiskSpaceFailed|DNSConfigForming|Rebooted|SystemOOM)"
)
_POD_STATE = (
    r"(?:CrashLoopBackOff|ImagePullBackOff|ErrImagePull|ErrImageNeverPull|CreateContainerConfigError|"
    r"CreateContainerError|RunContainerError|InvalidImageName|OOMKilled|Evicted|ContainerCannotRun|"
    r"Init:Error|Init:CrashLoopBackOff|PostStartHookError|StartError|ContainerStatusUnknown)"
)
_BY = r"[a-z][\w-]*(?:-controller|scheduler|let|controller|autoscaler|provisioner\w*|job)?(?:, \S+)?"

KUBERNETES = RuleReader(
    "kubernetes",
    (
        *(
            rule(
                rf"^Error from server \((?P<code>{reason})\): (?:error when (?:creating|applying|retrieving)\b.+?: )?"
                r"(?P<message>.+)$",
                http_status=status,
            )
            # what the API server answers with each of its reasons
            for reason, status in (
                ("NotFound", 404),
                ("Forbidden", 403),
                ("Unauthorized", 401),
                ("AlreadyExists", 409),
                ("Conflict", 409),
                ("BadRequest", 400),
                ("Invalid", 422),
                ("InternalError", 500),
                ("Timeout", 504),
                ("ServiceUnavailable", 503),
                ("TooManyRequests", 429),
                ("MethodNotAllowed", 405),
                ("Gone", 410),
            )
        ),
        rule(r"^Error from server: (?P<message>.+)$"),
        rule(r"^(?P<message>The connection to the server \S+ was refused.+)$"),
        rule(r"^(?P<message>Unable to connect to the server: .+)$"),
        rule(r"^(?:error: )?(?P<message>You must be logged in to the server.*)$"),
        rule(r"^(?P<message>The \w+ \".+\" is invalid: .+)$", http_status=422, code="Invalid"),
        rule(
            r"^(?:error: )?(?P<message>(?:error validating|unable to recognize|error parsing .+\.(?:ya?ml|"
            r"json): |resource mapping not found for|"
            r"no matches for kind|the server doesn't have a resource type|timed out waiting for the condition|"
            r"unable to upgrade connection|unable to forward port|deployment \".+\" exceeded its progress deadline|"
            r"no context exists|current-context is not set|Internal error occurred: ).*)$"
        ),
        # `kubectl describe`: type, reason, age, from, message
        rule(
            rf"^(?:Warning:?\s+)?{_REASON}\s+(?:<unknown>|[\d.smhd]+(?: \(x\d+ over [\w.]+\))?|<invalid>)\s+{_BY}\s+"
            r"(?P<message>\S.+)$",
            role=Role.EARLIER,
        ),
        # `kubectl get events`: age, type, reason, object, message
        rule(
            rf"^(?:\S+\s+)?(?:[\d.smhd]+(?: \(x\d+ over [\w.]+\))?\s+)?(?:Warning:?\s+)?{_REASON}\s+"
            r"(?:pod|node|job|deployment|replicaset|statefulset|daemonset|service|ingress|persistentvolumeclaim|"
            r"cronjob|"
            r"horizontalpodautoscaler|certificate|endpoints)[\w.]*/\S+\s+(?P<message>\S.+)$",
            role=Role.EARLIER,
        ),
        # `kubectl get pods`: name, ready, status, restarts, age
        rule(rf"^(?:\S+\s+)?[a-z0-9][\w.-]+\s+\d+/\d+\s+(?P<message>(?P<code>{_POD_STATE}))\s+\d+.*$"),
        rule(
            rf"^Reason:\s+(?P<message>(?P<code>{_POD_STATE}|Error))$",
            also=r"^(?:Message:\s+(?P<message>\S.*)|Exit Code:\s+\d+|Started:.*|Finished:.*|Signal:.*)$",
            role=Role.EARLIER,
        ),
    ),
)

_TEMPLATE = r"(?P<file>[\w./-]+\.(?:ya?ml|tpl|txt)):(?P<line>\d+)(?::\d+)?"
_OPERATION = (
    r"(?:(?:INSTALLATION|UPGRADE|ROLLBACK|UNINSTALL) FAILED: (?:failed to create resource: )?"
    r"|execution error at |uninstallation completed with \d+ error\(s\): )"
)

HELM = RuleReader(
    "helm",
    (
        rule(rf"^(?:Error: )?(?:{_OPERATION})?(?P<message>template: {_TEMPLATE}: .+)$"),
        rule(rf"^(?:Error: )?(?:{_OPERATION})?(?P<message>parse error at \({_TEMPLATE}\): .+)$"),
        rule(
            rf"^(?:Error: )?(?:INSTALLATION FAILED: |UPGRADE FAILED: )?execution error at \({_TEMPLATE}\): "
            rf"(?P<message>.+)$"
        ),
        rule(
            r"^(?:Error: )?(?:INSTALLATION FAILED: |UPGRADE FAILED: )?"
            r"(?P<message>YAML parse error on (?P<file>[\w./-]+): error converting YAML to JSON: yaml: line "
            r"(?P<line>\d+): .+)$"
        ),
        rule(
            r"^(?:Error: )?(?:INSTALLATION FAILED: |UPGRADE FAILED: )?"
            r"(?P<message>values don't meet the specifications of the schema.+)$",
            also=r"^(?P<message>- .+|\S+:)$",
        ),
        rule(rf"^(?:Error: )?{_OPERATION}(?P<message>.+)$"),
        rule(
            r"^(?:Error: )?(?P<message>(?:cannot re-use a name that is still in use|repo \S+ not found|"
            r"no repositories (?:to show|configured|found)|chart \".+\" (?:matching|version|not found).+|"
            r"failed to download .+|"
            r"failed pre-install: .+|release: (?:not found|already exists)|Kubernetes cluster unreachable: .+|"
            r"looks like \".+\" is not a valid chart repository.+|Chart\.yaml file is missing|"
            r"another operation \(install/upgrade/rollback\) is in progress|unable to build kubernetes objects .+|"
            r"found in Chart\.yaml, but missing in charts/ directory: .+|path \".+\" not found|"
            r"non-absolute URLs should.+|rendered manifests contain a resource that already exists\..+))$"
        ),
    ),
)
