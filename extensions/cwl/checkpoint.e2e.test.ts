import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ModelReply, ModelRequest } from "#loopback";
import { readState, textOf } from "./test-support/state.ts";
import { startTrial, type Trial, until } from "./test-support/trial.ts";

const FINDING = `The parser is in src/parse.ts.
Task: port the parser
Constraint: Node 20 is the oldest that has to work
Decided: keep the grammar as it is
To do: write the tests
To do: write the docs
Open: is the lexer thread-safe?`;

/** Explores once when it is asked to look, with marked lines in its description, and chats otherwise. */
function model({ messages }: ModelRequest): ModelReply {
	const asked = messages.findLastIndex(({ type, text }) => type === "user" && text === "look");
	if (asked < 0 || messages.slice(asked).some(({ type }) => type === "assistant")) return { text: "ok" };
	return {
		calls: [
			{ name: "delimiter", arguments: { action: "start", name: "find-parser", type: "expl" } },
			{ name: "read", arguments: { path: "notes.txt" } },
			{ name: "delimiter", arguments: { action: "end", description: FINDING } },
			{
				name: "delimiter",
				arguments: { action: "start", name: "port", type: "act", dependencies: ["find-parser"] },
			},
		],
	};
}

async function startLooked() {
	const trial = await startTrial({ model });
	await writeFile(join(trial.work, "notes.txt"), "notes\n");
	const pi = trial.rpc();
	await pi.command("/cwl goal ship it");
	await pi.command("/cwl constraint no network");
	await pi.prompt("look");
	return { trial, pi };
}

const framed = (trial: Trial) =>
	(trial.requests.at(-1)?.messages ?? []).flatMap(({ type, text }) =>
		type === "assistant"
			? []
			: [...text.matchAll(/<goal \d{6}>\n([\s\S]*?)\n<\/goal>/g)].map(([, said]) => said ?? ""),
	);

test("task and constraints of user and model are told when they change, and only then", async () => {
	const { trial, pi } = await startLooked();
	const first =
		"What the user wants of this session, until it is done:\nship it\nConstraints that the user set:\n- no network";
	const noted = "Constraints that you noted:\n- Node 20 is the oldest that has to work";
	const second = first.replace("ship it\n", "ship it\nActive task: port the parser\n");
	expect(framed(trial)).toEqual([first, `${second}\n${noted}`]);
	await pi.prompt("go on");
	expect(framed(trial)).toHaveLength(2);
	expect(textOf(await pi.command("/cwl task"))).toBe("cwl: the active task is: port the parser");
	await pi.command("/cwl task none");
	await pi.prompt("go on");
	await pi.prompt("go on");
	expect(framed(trial).at(-1)).toBe(`${first}\n${noted}`);
	expect(framed(trial)).toHaveLength(3);
	expect(textOf(await pi.command(`/cwl task ${"x".repeat(400)}`))).toContain("the task has 400 characters");
	expect(
		trial.loopback.records().filter(({ extendsPrevious, refused }) => refused || !extendsPrevious),
	).toEqual([]);
	await pi.kill();
	const resumed = trial.rpc({ args: ["-c"] });
	expect(textOf(await resumed.command("/cwl constraint"))).toBe(
		"cwl: constraints:\n  no network\n  Node 20 is the oldest that has to work (noted by the agent)",
	);
});

test("goal, task, constraints and checkpoint stand in /cwl json and /cwl health, and a stale checkpoint says so", async () => {
	const { pi } = await startLooked();
	expect(await readState(pi)).toMatchObject({
		goal: { text: "ship it", isDone: false },
		state: {
			task: "port the parser",
			constraints: ["no network"],
			notedConstraints: ["Node 20 is the oldest that has to work"],
		},
		checkpoint: null,
	});
	await pi.command("/cwl checkpoint");
	const { checkpoint } = await readState(pi);
	expect(checkpoint).toEqual({
		file: expect.stringMatching(/\.checkpoint\.json$/),
		savedAt: expect.stringMatching(/^20\d\d-/),
		problem: null,
	});
	expect(textOf(await pi.command("/cwl health"))).toContain(
		`
  goal            set  ship it
  task            set  port the parser
  constraints       2  no network; Node 20 is the oldest that has to work (noted by the agent)
  checkpoint     fits  saved ${checkpoint?.savedAt} in `,
	);
	await pi.prompt("go on");
	expect((await readState(pi)).checkpoint).toMatchObject({
		savedAt: null,
		problem: expect.stringMatching(/stale: the session has 2 messages after/),
	});
	expect(textOf(await pi.command("/cwl health"))).toMatch(
		/\n {2}checkpoint +unused {2}stale: the session has 2 messages/,
	);
});

test("a fresh session starts from the checkpoint, with the edits of a person; one that does not fit is named and made anew", async () => {
	const { trial, pi } = await startLooked();
	const said = textOf(await pi.command("/cwl checkpoint"));
	const [, path = ""] =
		/^cwl: the checkpoint is in (.*\.json): 1 finished episode, 2 to do, 1 file\. /.exec(said) ?? [];
	const text = await readFile(path, "utf8");
	const saved = JSON.parse(text);
	expect(saved).toMatchObject({
		...{ goal: "ship it", current: { task: "port the parser", episodes: ["port"] } },
		...{
			todo: ["write the tests", "write the docs"],
			artifacts: { "notes.txt": expect.stringMatching(/^6:/) },
		},
	});
	expect(await readFile(path.replace(".json", ".md"), "utf8")).toContain(
		"## Decisions\n\n- keep the grammar as it is",
	);
	const file = await pi.file();
	await pi.kill();

	const begin = async () => {
		const soft = trial.rpc({ args: ["resume", "--soft", file] });
		await until(() => soft.notices().some((notice) => notice.text.includes("a fresh session goes on")));
		await soft.prompt("hello");
		const start = trial.requests
			.at(-1)
			?.messages.find((message) => message.text.includes("<earlier-session>"));
		const notices = textOf(soft.notices());
		await soft.kill();
		return { start: start?.text ?? "", notices, framed: framed(trial).join("\n") };
	};
	await writeFile(path, JSON.stringify({ ...saved, goal: "ship it on Friday", todo: ["write the tests"] }));
	const edited = await begin();
	expect(edited.start).toContain(
		"In progress when it ended, so not finished:\n- port\nTo do, not begun:\n- write the tests\nDecided:",
	);
	expect(edited.framed).toContain("ship it on Friday\nActive task: port the parser");
	expect(edited.notices).not.toContain("is not used");

	await writeFile(path, JSON.stringify({ ...saved, todo: "tests" }));
	const damaged = await begin();
	expect(damaged.notices).toContain(`the checkpoint is not used, and made anew: ${path}: "todo" is "tests"`);
	expect(damaged.start).toContain("To do, not begun:\n- write the tests\n- write the docs");
	expect(trial.loopback.records().filter(({ refused }) => refused)).toEqual([]);
});

test("a stale checkpoint is refused, and a large session that rested for days suggests a fresh one", async () => {
	const { trial, pi } = await startLooked();
	await pi.command("/cwl checkpoint");
	await pi.prompt(`hello ${"word ".repeat(11_000)}`);
	const file = await pi.file();
	await pi.kill();
	const text = await readFile(file, "utf8");
	await writeFile(file, text.replace(/"timestamp":"20\d\d-/g, '"timestamp":"2020-'));
	const resumed = trial.rpc({ args: ["-c"] });
	await until(() => resumed.notices().some((notice) => notice.text.includes("rested for")));
	expect(textOf(resumed.notices())).toMatch(
		/this session rested for \d+ days\. `cwl resume --soft` starts a fresh one from its checkpoint instead of \d+(\.\d+)?k tokens/,
	);
	await resumed.kill();
	const soft = trial.rpc({ args: ["resume", "--soft", file] });
	await until(() => soft.notices().some((notice) => notice.text.includes("a fresh session goes on")));
	expect(textOf(soft.notices())).toMatch(
		/the checkpoint is not used, and made anew: .*stale: the session has \d+ messages after/,
	);
});
