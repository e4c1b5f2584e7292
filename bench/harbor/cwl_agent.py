"""cwl as a Harbor agent: every trial in a session of its own, or all trials of a job in one session.

Harbor runs each trial in a container of its own. A session is a file, so one session for all of them is that file
carried from container to container: uploaded before the agent starts, downloaded when it ends. bench/README.md says how to
run it.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import shlex
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Iterator

from harbor.agents.base import BaseAgent
from harbor.environments.base import BaseEnvironment
from harbor.models.agent.context import AgentContext

HOME = "/opt/cwl"
LOGS = "/logs/agent"
NODE = "https://nodejs.org/dist/v22.20.0/node-v22.20.0-linux-{arch}.tar.gz"
PI = "@mariozechner/pi-coding-agent@0.73.1"
# What providers need; everything else stays on the host.
PASSED_ON = (
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_OAUTH_TOKEN",
    "OPENAI_API_KEY",
    "GEMINI_API_KEY",
    "OPENROUTER_API_KEY",
    "GROQ_API_KEY",
    "XAI_API_KEY",
    "MISTRAL_API_KEY",
    "DEEPSEEK_API_KEY",
)

# The policies of the extension, and the arms without it, with pi's own compaction switched on or off.
POLICIES = ("cwl", "paper", "paper-adapted", "fifo", "lru", "priority", "type", "semantic-merge", "hybrid")
WITHOUT_EXTENSION = {"none": False, "compaction": True}
# What a model is offered that shall not mark its work.
WITHOUT_MARKS = "-without-marks"
TOOLS_WITHOUT_MARKS = "read,bash,edit,write,glob,grep,recall"
# Tokens below the window at which pi compacts.
RESERVE = 16_384


def keys_of_providers() -> dict[str, str]:
    return {name: os.environ[name] for name in PASSED_ON if os.environ.get(name)}


def install_command() -> str:
    """Node where there is none or an old one, then cwl and the pi that it runs, in a prefix of their own."""
    node = NODE.replace("{arch}", "$arch")
    has_node = "node -e 'process.exit(Number(process.versions.node.split(\".\")[0]) >= 20 ? 0 : 1)' 2>/dev/null"
    fetch = (
        'arch=$(uname -m | sed "s/x86_64/x64/; s/aarch64/arm64/"); '
        f'mkdir -p {HOME}/node && curl -fsSL "{node}" | tar -xz -C {HOME}/node --strip-components=1'
    )
    install = f"npm install --prefix {HOME}/app --no-audit --no-fund --omit=dev {HOME}/cwl.tgz {PI}"
    return f"export PATH={HOME}/node/bin:$PATH; ({has_node} || ({fetch})) && {install}"


def cwl_command(arguments: str) -> str:
    return f"PATH={HOME}/node/bin:$PATH {HOME}/app/node_modules/.bin/cwl {arguments}"


def tokens_of(budget: str) -> int | None:
    """80k or 80000; None for a budget that is no number of tokens, such as auto."""
    number = re.fullmatch(r"(\d+)(k?)", budget)
    return int(number[1]) * (1_000 if number[2] else 1) if number else None


def settings_command(compacts: bool, budget: str, model: str | None) -> str:
    """pi without the extension: it compacts at its window less the reserve, which is the budget where that is a number."""
    compaction: dict[str, Any] = {"enabled": compacts}
    files: dict[str, Any] = {"settings.json": {"compaction": compaction}}
    tokens = tokens_of(budget)
    if compacts and tokens and model and "/" in model:
        provider, name = model.split("/", 1)
        compaction |= {"reserveTokens": RESERVE, "keepRecentTokens": min(20_000, tokens // 4)}
        override = {name: {"contextWindow": tokens + RESERVE}}
        files["models.json"] = {"providers": {provider: {"modelOverrides": override}}}
    writes = [f'echo {shlex.quote(json.dumps(text))} > "$dir/{name}"' for name, text in files.items()]
    return " && ".join(['dir="${PI_CODING_AGENT_DIR:-$HOME/.pi/agent}"; mkdir -p "$dir"', *writes])


def agent_command(instruction: str, model: str | None, tools: str = "") -> str:
    """`--continue` takes the session that lies in the folder, and makes one where there is none."""
    chosen = f" --model {shlex.quote(model)}" if model else ""
    offered = f" --tools {tools}" if tools else ""
    return cwl_command(f"-p --session-dir {HOME}/sessions --continue{chosen}{offered} {shlex.quote(instruction)} </dev/null")


def trajectory_command(known: int) -> str:
    """What this trial added to the session: everything after the lines that it brought with it."""
    return cwl_command(f"report {HOME}/sessions/*.jsonl --trajectory --skip {known} > {LOGS}/trajectory.json")


class CwlAgent(BaseAgent):
    """`mode` is `isolated` or `single`; `session` is the folder on the host that holds the one session of `single`."""

    SUPPORTS_ATIF: bool = True

    def __init__(
        self,
        logs_dir: Path,
        model_name: str | None = None,
        *args: Any,
        package: str = "",
        mode: str = "isolated",
        session: str = "",
        budget: str = "80k",
        policy: str = "cwl",
        **kwargs: Any,
    ) -> None:
        super().__init__(logs_dir, model_name, *args, **kwargs)
        if mode not in ("isolated", "single"):
            raise ValueError(f"mode is {mode!r}: use isolated or single.")
        if mode == "single" and not session:
            raise ValueError("mode single needs session=FOLDER, in which the session is kept between trials.")
        if not package:
            raise ValueError("package is missing: give the .tgz that `npm pack` makes in a clone of this project.")
        self.package = Path(package).expanduser()
        self.session = Path(session).expanduser() if mode == "single" else None
        self.tools = TOOLS_WITHOUT_MARKS if policy.endswith(WITHOUT_MARKS) else ""
        policy = policy.removesuffix(WITHOUT_MARKS)
        if policy not in (*WITHOUT_EXTENSION, *POLICIES):
            raise ValueError(f"policy is {policy!r}: use one of {', '.join((*WITHOUT_EXTENSION, *POLICIES))}.")
        is_managed = policy in POLICIES
        self.steering = {"CWL_ENABLED": str(is_managed).lower(), "CWL_BUDGET": str(budget)}
        if is_managed:
            self.steering["CWL_POLICY"] = policy
        self.budget = str(budget)
        self.compacts = WITHOUT_EXTENSION.get(policy)

    @staticmethod
    def name() -> str:
        return "cwl"

    def version(self) -> str | None:
        return self.package.name

    async def setup(self, environment: BaseEnvironment) -> None:
        await self._must(environment, f"mkdir -p {HOME}/sessions {LOGS}")
        await environment.upload_file(self.package, f"{HOME}/cwl.tgz")
        await self._must(environment, install_command())
        if self.compacts is not None:
            await self._must(environment, settings_command(self.compacts, self.budget, self.model_name))

    async def run(self, instruction: str, environment: BaseEnvironment, context: AgentContext) -> None:
        with session_of_its_own(self.session):
            known = 0
            if self.session and any(self.session.glob("*.jsonl")):
                known = sum(count_lines(path) for path in self.session.glob("*.jsonl"))
                await environment.upload_dir(self.session, f"{HOME}/sessions")
            try:
                command = agent_command(instruction, self.model_name, self.tools)
                result = await environment.exec(command, env=self._environment())
                (self.logs_dir / "cwl.txt").write_text((result.stdout or "") + (result.stderr or ""))
            finally:
                # A trial that ran out of time has a session too, and the next one continues it.
                await self._collect(environment, context, known)

    async def _collect(self, environment: BaseEnvironment, context: AgentContext, known: int) -> None:
        if self.session:
            self.session.mkdir(parents=True, exist_ok=True)
            await environment.download_dir(f"{HOME}/sessions", self.session)
        await self._must(environment, trajectory_command(known))
        target = self.logs_dir / "trajectory.json"
        await environment.download_file(f"{LOGS}/trajectory.json", target)
        fill_context(context, json.loads(target.read_text()))

    def _environment(self) -> dict[str, str]:
        return {**keys_of_providers(), **self.steering, "PI_OFFLINE": "1"}

    async def _must(self, environment: BaseEnvironment, command: str) -> None:
        result = await environment.exec(command)
        if result.return_code != 0:
            said = ((result.stdout or "") + (result.stderr or "")).strip()[-2_000:]
            raise RuntimeError(f"this command failed in the container: {command}\n{said}")


def count_lines(path: Path) -> int:
    with path.open("rb") as lines:
        return sum(1 for _ in lines)


@contextmanager
def session_of_its_own(folder: Path | None) -> Iterator[None]:
    """Trials share one session one after the other: two at a time would tear it in two."""
    if folder is None:
        yield
        return
    folder.mkdir(parents=True, exist_ok=True)
    with (folder.parent / f"{folder.name}.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RuntimeError(f"another trial holds the session in {folder}: run with --n-concurrent 1.") from None
        yield


def fill_context(context: AgentContext, trajectory: dict[str, Any]) -> None:
    metrics = trajectory.get("final_metrics") or {}
    context.n_input_tokens = metrics.get("total_prompt_tokens")
    context.n_cache_tokens = metrics.get("total_cached_tokens")
    context.n_output_tokens = metrics.get("total_completion_tokens")
    context.cost_usd = metrics.get("total_cost_usd")
