"""Remuda as a tool of BenchExec: a benchmark definition names `remuda.benchexec_tool` as its tool.

Nothing else needs BenchExec, so Remuda does not install it.
"""

from __future__ import annotations

from typing import Any, Final

from benchexec import result
from benchexec.tools.template import BaseTool2, UnsupportedFeatureException

_RESULTS: Final = {
    "true": result.RESULT_TRUE_PROP,
    "unknown": result.RESULT_UNKNOWN,
    "false(unreach-call)": result.RESULT_FALSE_REACH,
    "false(no-overflow)": result.RESULT_FALSE_OVERFLOW,
    "false(valid-deref)": result.RESULT_FALSE_DEREF,
    "false(valid-free)": result.RESULT_FALSE_FREE,
    "false(valid-memtrack)": result.RESULT_FALSE_MEMTRACK,
}
_FAILURES: Final = {1: "ERROR (usage)", 2: "ERROR (input)", 6: "ERROR (internal)"}
_ARCHITECTURES: Final = {"ILP32": "ilp32", "LP64": "lp64"}


class Tool(BaseTool2):  # type: ignore[misc]
    """Builds the command line that BenchExec runs, and reads the result from Remuda's output."""

    def executable(self, tool_locator: Any) -> str:  # noqa: ANN401
        return str(tool_locator.find_executable("remuda"))

    def version(self, executable: str) -> str:
        return str(self._version_from_tool(executable, arg="--version", line_prefix="remuda"))

    def name(self) -> str:
        return "Remuda"

    def project_url(self) -> str:
        return ""

    def cmdline(self, executable: str, options: list[str], task: Any, rlimits: Any) -> list[str]:  # noqa: ANN401
        command = [executable, "verify", "--svcomp", *options]
        if task.property_file:
            command += ["--spec", task.property_file]
        if isinstance(task.options, dict) and task.options.get("language") == "C":
            model = task.options.get("data_model", "LP64")
            if model not in _ARCHITECTURES:
                raise UnsupportedFeatureException(f"no data model {model}")
            command += ["--arch", _ARCHITECTURES[model]]
        if rlimits.walltime:
            command += ["--timeout", str(rlimits.walltime)]
        return [*command, *task.input_files_or_identifier]

    def determine_result(self, run: Any) -> str:  # noqa: ANN401
        for line in reversed(list(run.output)):
            if line.startswith("VERDICT: "):
                return str(_RESULTS.get(line.removeprefix("VERDICT: ").strip(), result.RESULT_UNKNOWN))
        return _FAILURES.get(run.exit_code.value, "ERROR")
