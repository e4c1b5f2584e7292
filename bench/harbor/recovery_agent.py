"""cwl as a recovery agent of Recovery-Bench (github.com/letta-ai/recovery-bench), which builds on Harbor.

The benchmark replays the commands of an attempt that failed, and the agent goes on from there. Its own mixin finds and
replays them, and writes the instruction; everything else is the Harbor adapter.
"""

from __future__ import annotations

from typing import Any

from harbor.environments.base import BaseEnvironment
from harbor.models.agent.context import AgentContext
from recovery_bench.agents.recovery_mixin import RecoveryMixin
from recovery_bench.replay import replay_via_exec

from cwl_agent import CwlAgent


class RecoveryCwl(RecoveryMixin, CwlAgent):
    """`model_kwargs` takes what `CwlAgent` takes: package, mode, session, budget, policy."""

    def __init__(
        self, *args: Any, message_mode: str = "full", model_kwargs: dict[str, Any] | None = None, **kwargs: Any
    ) -> None:
        CwlAgent.__init__(self, *args, **{**kwargs, **(model_kwargs or {})})
        self._init_recovery(message_mode)

    @staticmethod
    def name() -> str:
        return "recovery-cwl"

    async def setup(self, environment: BaseEnvironment) -> None:
        await CwlAgent.setup(self, environment)
        commands, _ = self._parse_trajectory()
        await replay_via_exec(environment, commands)

    async def run(self, instruction: str, environment: BaseEnvironment, context: AgentContext) -> None:
        await CwlAgent.run(self, await self._build_recovery_instruction(instruction), environment, context)
