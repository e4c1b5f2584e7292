"""The parts of the adapter that need no Harbor and no container. Run with: python3 cwl_agent_test.py"""

import asyncio
import json
import os
import sys
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace


sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]

import without_harbor  # noqa: E402, F401
from cwl_agent import CwlAgent, session_of_its_own  # noqa: E402


class Container:
    """Takes down what it is asked for; a run leaves one more line in the session."""

    def __init__(self, fails: str = "") -> None:
        self.calls: list[str] = []
        self.environments: list[dict] = []
        self.session: list[str] = []
        self.fails = fails

    async def exec(self, command, env=None, **_kwargs):
        self.calls.append(command)
        self.environments.append(env or {})
        if self.fails and self.fails in command:
            return SimpleNamespace(stdout="", stderr="no such thing", return_code=1)
        if " -p " in command:
            self.session.append(json.dumps({"type": "message"}))
        return SimpleNamespace(stdout="done", stderr="", return_code=0)

    async def upload_file(self, source, target):
        self.calls.append(f"upload {target}")

    async def upload_dir(self, source, target):
        self.calls.append(f"upload {target}")
        self.session = Path(source, "s.jsonl").read_text().splitlines()

    async def download_dir(self, source, target):
        self.calls.append(f"download {source}")
        Path(target, "s.jsonl").write_text("".join(f"{line}\n" for line in self.session))

    async def download_file(self, source, target):
        self.calls.append(f"download {source}")
        Path(target).write_text("{}")


class AdapterTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name)
        self.addCleanup(self.folder.cleanup)

    def agent(self, **kwargs) -> CwlAgent:
        return CwlAgent(self.root, "openai/gpt-5.4", package="/tmp/cwl-0.1.0.tgz", **kwargs)

    def run_trial(self, agent: CwlAgent, container: Container) -> SimpleNamespace:
        context = SimpleNamespace()
        asyncio.run(agent.run("Fix it; don't ask.", container, context))
        return context

    def test_one_session_goes_from_trial_to_trial(self):
        agent = self.agent(mode="single", session=str(self.root / "one"))
        first, second = Container(), Container()
        self.run_trial(agent, first)
        self.run_trial(agent, second)
        self.assertNotIn("upload /opt/cwl/sessions", first.calls)
        self.assertEqual(second.calls[0], "upload /opt/cwl/sessions")
        self.assertEqual(len(second.session), 2)
        self.assertIn("--skip 1 ", second.calls[-2])
        self.assertEqual(len((self.root / "one" / "s.jsonl").read_text().splitlines()), 2)

    def test_budget_policy_and_keys_reach_the_container_and_nothing_else_does(self):
        os.environ["OPENAI_API_KEY"] = "a key"
        os.environ["UNRELATED"] = "a secret"
        container = Container()
        self.run_trial(self.agent(budget="50k", policy="paper"), container)
        expected = {"OPENAI_API_KEY": "a key", "CWL_BUDGET": "50k", "CWL_POLICY": "paper", "PI_OFFLINE": "1"}
        expected["CWL_ENABLED"] = "true"
        sent = next(env for env in container.environments if env)
        self.assertEqual({name: sent.get(name) for name in expected}, expected)
        self.assertNotIn("UNRELATED", sent)

    def test_an_arm_without_the_extension_switches_it_off_and_says_whether_pi_compacts(self):
        for policy, compacts in (("none", "false"), ("compaction", "true")):
            container = Container()
            agent = self.agent(policy=policy)
            asyncio.run(agent.setup(container))
            self.run_trial(agent, container)
            self.assertIn(f'{{"compaction": {{"enabled": {compacts}', " ".join(container.calls))
            sent = next(env for env in container.environments if env)
            self.assertEqual((sent["CWL_ENABLED"], sent.get("CWL_POLICY")), ("false", None))

    def test_compaction_works_at_the_budget_and_an_arm_without_marks_has_no_tool_for_them(self):
        container = Container()
        asyncio.run(self.agent(policy="compaction", budget="50k").setup(container))
        settings = container.calls[-1]
        self.assertIn('"reserveTokens": 16384, "keepRecentTokens": 12500', settings)
        self.assertIn('{"providers": {"openai": {"modelOverrides": {"gpt-5.4": {"contextWindow": 66384}}}}}', settings)
        self.run_trial(self.agent(policy="cwl-without-marks"), container)
        self.assertIn("--tools read,bash,edit,write,glob,grep,recall ", " ".join(container.calls))
        self.assertEqual(container.environments[-2]["CWL_POLICY"], "cwl")

    def test_an_unknown_policy_is_refused_with_the_known_ones(self):
        with self.assertRaisesRegex(ValueError, "policy is 'papre': use one of none, compaction, cwl, paper"):
            self.agent(policy="papre")

    def test_the_session_is_kept_when_the_agent_is_cut_short(self):
        agent = self.agent(mode="single", session=str(self.root / "one"))
        container = Container()
        whole = container.exec

        async def cut(command, env=None, **kwargs):
            result = await whole(command, env, **kwargs)
            if " -p " in command:
                raise asyncio.CancelledError
            return result

        container.exec = cut
        with self.assertRaises(asyncio.CancelledError):
            self.run_trial(agent, container)
        self.assertTrue((self.root / "one" / "s.jsonl").exists())

    def test_two_trials_at_a_time_are_refused(self):
        folder = self.root / "one"
        with session_of_its_own(folder), self.assertRaisesRegex(RuntimeError, "--n-concurrent 1"):
            with session_of_its_own(folder):
                pass

    def test_a_failed_installation_says_what_failed(self):
        with self.assertRaisesRegex(RuntimeError, "npm install[\\s\\S]*no such thing"):
            asyncio.run(self.agent().setup(Container(fails="npm install")))

    def test_wrong_arguments_are_refused(self):
        for kwargs in ({"mode": "both"}, {"mode": "single"}):
            with self.assertRaises(ValueError):
                self.agent(**kwargs)
        with self.assertRaises(ValueError):
            CwlAgent(self.root, "openai/gpt-5.4")


if __name__ == "__main__":
    unittest.main()
