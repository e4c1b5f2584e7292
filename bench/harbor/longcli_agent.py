"""cwl as an agent of LongCLI-Bench (github.com/finyorko/longcli-bench), which is a copy of Terminal-Bench 1 with tasks of its own.

Each task has a session of its own here: that harness hands an agent a terminal in a container, and no file outlives it.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from terminal_bench.agents.base_agent import AgentResult
from terminal_bench.agents.installed_agents.abstract_installed_agent import AbstractInstalledAgent
from terminal_bench.terminal.models import TerminalCommand
from terminal_bench.terminal.tmux_session import TmuxSession

import in_container


class CwlLongCli(AbstractInstalledAgent):
    """`package` is the .tgz that `npm pack` makes in a clone of this project."""

    def __init__(
        self,
        model_name: str | None = None,
        *args: Any,
        package: str = "",
        budget: str = "80k",
        policy: str = "cwl",
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        if not package:
            raise ValueError("package is missing: give the .tgz that `npm pack` makes in a clone of this project.")
        self._model_name = model_name
        self._package = Path(package).expanduser()
        self._steering = {"CWL_BUDGET": str(budget), "CWL_POLICY": str(policy), "PI_OFFLINE": "1"}

    @staticmethod
    def name() -> str:
        return "cwl"

    @property
    def _env(self) -> dict[str, str]:
        return {**in_container.keys_of_providers(), **self._steering}

    @property
    def _install_agent_script_path(self) -> Path:
        script = Path(tempfile.mkdtemp(prefix="cwl-")) / "install-agent.sh"
        script.write_text(f"mkdir -p {in_container.HOME}/sessions && {in_container.install_command()}\n")
        return script

    def _run_agent_commands(self, instruction: str) -> list[TerminalCommand]:
        command = in_container.agent_command(instruction, self._model_name)
        return [
            TerminalCommand(command=command, min_timeout_sec=0.0, max_timeout_sec=float("inf"), block=True, append_enter=True)
        ]

    def perform_task(self, instruction: str, session: TmuxSession, logging_dir: Path | None = None) -> AgentResult:
        session.copy_to_container(self._package, container_dir=in_container.HOME, container_filename="cwl.tgz")
        result = super().perform_task(instruction, session, logging_dir)
        trajectory = in_container.cwl(f"report {in_container.HOME}/sessions/*.jsonl --trajectory")
        done = session.container.exec_run(["sh", "-c", trajectory])
        if done.exit_code == 0:
            metrics = json.loads(done.output).get("final_metrics") or {}
            result.total_input_tokens = metrics.get("total_prompt_tokens") or 0
            result.total_output_tokens = metrics.get("total_completion_tokens") or 0
        return result
