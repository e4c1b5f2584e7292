import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { briefPath } from "#pi/brief";
import { git } from "../../packages/workspace/test-support/scratch.ts";
import { call, end, following, read, start } from "./test-support/following.ts";
import { goalsIn, readState, textOf } from "./test-support/state.ts";
import { startTrial, type Trial, until } from "./test-support/trial.ts";
import { startWorkTrial } from "./test-support/work-trial.ts";

const shown = (trial: Trial) => goalsIn(trial.requests.at(-1));

const FINDING = `The parser is in src/parse.ts.
Task: port the parser
Constraint: Node 20 is the oldest that has to work
Decided: keep the grammar as it is
To do: write the tests; To do: write the docs
Open: is the lexer thread-safe?`;

/** Explores when it is asked to look, ends the task when it is asked to finish, and chats otherwise. */
const finder = following((prompt) => {
	if (prompt === "finish")
		return [{ calls: [end(), start("look-back", "expl"), end("All is ported.\nTask: none")] }];
	const port = start("port", "act", { dependencies: ["find-parser"] });
	const calls = [start("find-parser", "expl"), read("notes.txt"), end(FINDING), port];
	return prompt === "look" ? [{ calls }] : undefined;
});

test("the brief is saved with its figures when the model ends the task", async () => {
	const { pi } = await startLooked();
	const path = briefPath(await pi.file());
	expect(existsSync(path)).toBe(false);
	await pi.prompt("finish");
	await until(() => existsSync(path));
	const brief = await readFile(path, "utf8");
	expect(brief).toMatch(/^### Task\n\n<!-- /m);
	expect(brief).toContain("- last request: window ");
	await pi.prompt("thank you");
	// Its end saves it again.
	expect(await pi.answer("/cwl health")).toMatch(/brief +fits +saved /);
});

async function startLooked() {
	const trial = await startTrial({ model: finder, files: { "notes.txt": "notes\n" } });
	const pi = trial.rpc();
	await pi.command("/cwl brief goal ship it");
	await pi.command("/cwl brief constraint no network");
	await pi.prompt("look");
	return { trial, pi };
}

test("a fresh session starts from the brief, with the edits of a person; one that does not fit is named and left", async () => {
	const { trial, pi } = await startLooked();
	const said = await pi.answer("/cwl brief sync");
	const [, path = ""] =
		/^cwl: the brief is in (.*\.brief\.md): 1 finished episode, 2 to do, 1 file\. /.exec(said) ?? [];
	const saved = await readFile(path, "utf8");
	expect((await readState(pi)).checkpoint).toMatchObject({ file: path, problem: null });
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
		await soft.command("/cwl brief sync");
		const brief = await readFile(briefPath(await soft.file()), "utf8");
		await soft.kill();
		return { start: start?.text ?? "", notices, framed: shown(trial).join("\n"), brief };
	};
	await writeFile(
		path,
		saved.replace("\nship it\n", "\nship it on Friday\n").replace("; To do: write the docs", ""),
	);
	const edited = await begin();
	expect(edited.start).toContain(
		"In progress when it ended, so not finished:\n- port\nLeft to do when last said; later turns may have done or dropped some:\n- write the tests\nDecided, where",
	);
	expect(edited.framed).toContain("ship it on Friday\nActive task: port the parser");
	expect(edited.notices).not.toContain("is not used");
	expect(edited.brief).toContain("some:\n- write the tests\nDecided");
	expect(edited.brief).toContain("\n- keep the grammar as it is\n");

	await writeFile(path, saved.replace("## Episodes\n", "## Episodes\nstray\n"));
	const damaged = await begin();
	expect(damaged.notices).toContain(`the brief is not used, and the session is read instead: ${path}: `);
	expect(damaged.start).toContain(
		"Left to do when last said; later turns may have done or dropped some:\n- write the tests\n- write the docs",
	);
});

test("a large session that rested for days suggests a fresh one", async () => {
	const { trial, pi } = await startLooked();
	await pi.prompt(`hello ${"word ".repeat(11_000)}`);
	const file = await pi.file();
	await pi.kill();
	const text = await readFile(file, "utf8");
	await writeFile(file, text.replace(/"timestamp":"20\d\d-/g, '"timestamp":"2020-'));
	const resumed = trial.rpc({ args: ["-c"] });
	await until(() => resumed.notices().some((notice) => notice.text.includes("rested for")));
	expect(textOf(resumed.notices())).toMatch(
		/this session rested for \d+ days\. `cwl resume --soft` starts a fresh one from its brief instead of \d+(\.\d+)?k tokens/,
	);
});

test("/cwl brief sync writes what the session knows, and what a person edits there holds, evicted or not, after a resume too", async () => {
	const trial = await startWorkTrial(3, 5);
	const pi = trial.rpc({ environment: { CWL_BUDGET: "60k" } });
	await pi.promptAll(trial.prompts.slice(0, 3));
	const { episodes } = await readState(pi);
	const expls = episodes.filter(({ kind, state }) => kind === "expl" && state === "closed");
	const [evicted = "", kept = ""] = [expls[0]?.name, expls.at(-1)?.name];
	for (const { name } of episodes.filter(({ dependencies }) => dependencies.includes(evicted))) {
		await pi.command(`/cwl evict ${name}`);
	}
	await pi.command(`/cwl evict ${evicted}`);
	await pi.command("/cwl brief goal ship it");

	const path = /^cwl: the brief is in (.*\.brief\.md): .* Edit it and run this again; /.exec(
		await pi.answer("/cwl brief sync"),
	)?.[1];
	const text = await readFile(path ?? "", "utf8");
	expect(text).toMatch(/\n### Goal\n\nship it\n/);
	const rewrite = (name: string, words: string) => (file: string) =>
		file.replace(new RegExp(`(### ${name}\\n\\n_.*_\\n\\n)[^]*?(?=\\n\\n<!--)`), `$1${words}`);
	const edited = [rewrite(evicted, "See the\nreadme."), rewrite(kept, "Nothing there.")].reduce(
		(file, edit) => edit(file),
		text.replace("\nship it\n", "\nship it on Thursday\n"),
	);
	await writeFile(path ?? "", edited);
	expect(await pi.answer("/cwl brief sync")).toMatch(
		/^cwl: took the goal, 2 descriptions from .*, which hold from now on; lines of evicted episodes change with the next request/,
	);
	await pi.prompt(trial.prompts[3] ?? "");
	const last = trial.sent().join("\n");
	expect(last).toContain(`recall "${evicted}"] "See the\\nreadme."`);
	expect(last).toContain("ship it on Thursday");
	await pi.kill();

	const resumed = trial.resume({ environment: { CWL_BUDGET: "60k" } });
	await resumed.prompt(trial.prompts[4] ?? "");
	const state = await readState(resumed);
	const described = new Map(state.episodes.map(({ name, description }) => [name, description]));
	expect([described.get(evicted), described.get(kept)]).toEqual(["See the\nreadme.", "Nothing there."]);
	expect(state.goal).toEqual({ text: "ship it on Thursday", isDone: false });
});

/** An answer in no words that anything knows, with two labels. */
const ANSWER = `La limite est 100, dans src/m2.ts.

## Suite
- relever la limite

Decided: keep local times. Open: is the lexer thread-safe?`;

test("the brief of unmarked work has its answer word for word, and a fresh session starts from the same", async () => {
	const trial = await startTrial({
		model: following((prompt) =>
			prompt.startsWith("raise")
				? [{ calls: [call("write", { path: "m2.ts", content: "x" })] }, { text: ANSWER }]
				: undefined,
		),
	});
	git(trial.work, "init", "--quiet", "--initial-branch=trunk");
	const pi = trial.rpc();
	await pi.prompt("raise the limit");
	await pi.prompt("thanks");
	await pi.command("/cwl brief sync");
	const file = await pi.file();
	const text = await readFile(briefPath(file), "utf8");
	await pi.kill();
	const fresh = trial.rpc({ args: ["--cwl-soft", file] });
	await fresh.prompt("go on");
	const start = trial.sent().join("\n");
	for (const said of [
		"Decided, where later turns did not change it:\n- keep local times.\nOpen issues:\n- is the lexer thread-safe?\n",
		"Files that it changed:\n- m2.ts\nGit at its end:\n- branch trunk, no commit yet\n",
		`Answer to "raise the limit", word for word:\n${ANSWER.replace(/^/gm, "> ")}\n`,
	]) {
		expect(start).toContain(said);
		expect(text).toContain(said);
	}
});

test("after a compaction by hand the brief is written again, and holds what came before it", async () => {
	const trial = await startTrial({
		settings: { compaction: { keepRecentTokens: 10 } },
		model: following((prompt) => [{ calls: [read("m2.ts")] }, { text: `Open: ${prompt} is slow` }]),
	});
	await writeFile(join(trial.work, "m2.ts"), "export const LIMIT = 100;\n".repeat(20));
	const pi = trial.rpc();
	await pi.prompt("the parser");
	await pi.prompt("the writer");
	expect(await pi.answer("/cwl brief sync")).toContain("the brief is in");
	expect(await pi.send({ type: "compact" })).toMatchObject({ success: true });
	expect(await pi.answer("/cwl brief sync")).toContain("the brief is in");
	const text = await readFile(briefPath(await pi.file()), "utf8");
	expect(text).toContain("Your messages:\n- the parser\n- the writer\n");
	expect(text).toContain("- the writer is slow");
});
