"""What the adapters take from Harbor, Recovery-Bench and Terminal-Bench, so that they can run where none is installed."""

import sys
import types
from types import SimpleNamespace


class BaseAgent:
    def __init__(self, logs_dir, model_name=None, logger=None, *_args, **_kwargs):
        self.logs_dir, self.model_name = logs_dir, model_name


def stand_in(name: str, **members: object) -> None:
    module = types.ModuleType(name)
    vars(module).update(members)
    sys.modules[name] = module


class RecoveryMixin:
    """Answers as that of Recovery-Bench does: the commands and messages of an attempt that failed."""

    def _init_recovery(self, message_mode="full"):
        self._message_mode = message_mode

    def _parse_trajectory(self):
        self._replay_messages = [{"role": "assistant", "content": "I tried."}]
        return ["touch mistake"], self._replay_messages

    async def _build_recovery_instruction(self, instruction):
        return f"An earlier attempt failed ({self._message_mode}: {self._replay_messages[0]['content']}). {instruction}"


async def replay_via_exec(environment, commands):
    for command in commands:
        await environment.exec(command)


class AbstractInstalledAgent:
    """Copies the script, installs, and sends the commands, in the order of Terminal-Bench."""

    def __init__(self, *_args, **_kwargs):
        pass

    def perform_task(self, instruction, session, logging_dir=None):
        session.copy_to_container(
            self._install_agent_script_path, container_dir="/installed-agent", container_filename="install-agent.sh"
        )
        for command in self._run_agent_commands(instruction):
            session.send_command(command)
        return SimpleNamespace(total_input_tokens=0, total_output_tokens=0)


for package in ("harbor", "harbor.agents", "harbor.environments", "harbor.models", "harbor.models.agent"):
    stand_in(package)
stand_in("harbor.agents.base", BaseAgent=BaseAgent)
stand_in("harbor.environments.base", BaseEnvironment=object)
stand_in("harbor.models.agent.context", AgentContext=SimpleNamespace)
for package in ("recovery_bench", "recovery_bench.agents"):
    stand_in(package)
stand_in("recovery_bench.agents.recovery_mixin", RecoveryMixin=RecoveryMixin)
stand_in("recovery_bench.replay", replay_via_exec=replay_via_exec)
for package in ("terminal_bench", "terminal_bench.agents", "terminal_bench.agents.installed_agents", "terminal_bench.terminal"):
    stand_in(package)
stand_in("terminal_bench.agents.base_agent", AgentResult=SimpleNamespace)
stand_in(
    "terminal_bench.agents.installed_agents.abstract_installed_agent", AbstractInstalledAgent=AbstractInstalledAgent
)
stand_in("terminal_bench.terminal.models", TerminalCommand=SimpleNamespace)
stand_in("terminal_bench.terminal.tmux_session", TmuxSession=object)
