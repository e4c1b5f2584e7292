"""Trials of the adapter in a folder in place of containers: python3 local_trials.py SETTINGS

SETTINGS is JSON: {root, package, model, work, environment, session, instructions}. Everything is as under Harbor, the installation
included, but for the container. Prints a JSON line for each trial: what the adapter reported, and how many steps its
trajectory has.
"""

import asyncio
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]

import without_harbor  # noqa: E402, F401

import cwl_agent  # noqa: E402


class Folder:
    """Stands for a container: commands run on this machine, and the container's paths are in a folder."""

    def __init__(self, work: str, environment: dict[str, str]) -> None:
        self.work = work
        # npm needs the proxies and certificates of this machine.
        self.environment = {**os.environ, **environment}

    async def exec(self, command, env=None, **_kwargs):
        done = subprocess.run(
            ["bash", "-c", command], cwd=self.work, env={**self.environment, **(env or {})}, capture_output=True, text=True
        )
        return SimpleNamespace(stdout=done.stdout, stderr=done.stderr, return_code=done.returncode)

    async def upload_file(self, source, target):
        shutil.copy(source, target)

    async def upload_dir(self, source, target):
        shutil.copytree(source, target, dirs_exist_ok=True)

    download_file = upload_file
    download_dir = upload_dir


def run_trials(settings: dict) -> None:
    root = Path(settings["root"])
    cwl_agent.HOME, cwl_agent.LOGS = str(root / "opt"), str(root / "logs")
    folder = Folder(settings["work"], settings["environment"])
    for number, instruction in enumerate(settings["instructions"]):
        # The next container is empty but for what is installed; that is not done twice here.
        shutil.rmtree(root / "opt" / "sessions", ignore_errors=True)
        shutil.rmtree(root / "logs", ignore_errors=True)
        trial = root / f"trial-{number}"
        trial.mkdir(parents=True)
        agent = cwl_agent.CwlAgent(
            trial, settings["model"], package=settings["package"], mode="single", session=settings["session"], budget="24k"
        )
        if number == 0:
            asyncio.run(agent.setup(folder))
        else:
            asyncio.run(folder.exec(f"mkdir -p {cwl_agent.HOME}/sessions {cwl_agent.LOGS}"))
        context = SimpleNamespace()
        asyncio.run(agent.run(instruction, folder, context))
        steps = json.loads((trial / "trajectory.json").read_text())["steps"]
        print(json.dumps({**vars(context), "steps": len(steps)}), flush=True)


run_trials(json.loads(sys.argv[1]))
