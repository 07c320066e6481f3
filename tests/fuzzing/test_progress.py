"""What libFuzzer prints is read."""

from tests.fuzzing.progress import Finding, Progress, progress_in

_OUTPUT = """\
INFO: Instrumenting bot.pastes
#2\tINITED cov: 92 ft: 216 corp: 128/55Kb exec/s: 0 rss: 66Mb
#512\tNEW    cov: 95 ft: 230 corp: 130/56Kb lim: 895 exec/s: 512 rss: 67Mb L: 21/824 MS: 1 EraseBytes-
FINDING /tmp/f/redaction-1: BrokenLaw: redacting twice is redacting once (laws.py:61)
#96167\tDONE   cov: 111 ft: 537 corp: 140/60Kb lim: 895 exec/s: 8742 rss: 78Mb
stat::number_of_executed_units: 96167
stat::peak_rss_mb:              83
"""
_KILLED = """\
#2\tINITED cov: 92 ft: 216 corp: 128/55Kb exec/s: 0 rss: 66Mb
#900\tpulse  cov: 93 ft: 217 corp: 129/55Kb lim: 4 exec/s: 450 rss: 70Mb
==4711== ERROR: libFuzzer: timeout after 20 seconds
artifact_prefix='/tmp/f/readers-'; Test unit written to /tmp/f/readers-timeout-0a1b
"""


def test_figures_of_a_whole_run() -> None:
    """Coverage counts from the seeds on; a finding has its file and its way of failing."""
    assert progress_in(_OUTPUT) == Progress(
        executions=96_167,
        branches=(92, 111),
        features=(216, 537),
        corpus=140,
        peak_mebibytes=83,
        findings=(Finding("/tmp/f/redaction-1", "BrokenLaw: redacting twice is redacting once (laws.py:61)"),),
    )


def test_what_killed_the_process_is_a_finding() -> None:
    """The file that libFuzzer wrote says by its name what happened."""
    run = progress_in(_KILLED)

    assert run.executions == 900
    assert run.findings == (Finding("/tmp/f/readers-timeout-0a1b", "the process ended: no end within the time limit"),)


def test_a_second_process_goes_on_where_the_first_was_killed() -> None:
    """Executions and findings add up, coverage is that of the better one, counted from the first one's seeds."""
    both = progress_in(_KILLED) + progress_in(_OUTPUT)

    assert (both.executions, both.branches, both.peak_mebibytes, len(both.findings)) == (97_067, (92, 111), 83, 2)


def test_output_without_a_run_is_no_progress() -> None:
    """A worker that did not start has executed nothing."""
    assert progress_in("Traceback (most recent call last):\n") == Progress()
