"""What every adapter runs in a container: the installation, the agent, and the trajectory of what it did."""

from __future__ import annotations

import os
import shlex

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


def cwl(arguments: str) -> str:
    return f"PATH={HOME}/node/bin:$PATH {HOME}/app/node_modules/.bin/cwl {arguments}"


def agent_command(instruction: str, model: str | None) -> str:
    """`--continue` takes the session that lies in the folder, and makes one where there is none."""
    chosen = f" --model {shlex.quote(model)}" if model else ""
    return cwl(f"-p --session-dir {HOME}/sessions --continue{chosen} {shlex.quote(instruction)} </dev/null")


def trajectory_command(known: int) -> str:
    """What this trial added to the session: everything after the lines that it brought with it."""
    return cwl(f"report {HOME}/sessions/*.jsonl --trajectory --skip {known} > {LOGS}/trajectory.json")
