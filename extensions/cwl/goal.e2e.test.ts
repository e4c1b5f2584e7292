import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { briefPath } from "#pi/brief";
import { call, following } from "./test-support/following.ts";
import { goalsIn, readState } from "./test-support/state.ts";
import { startTrial, type Trial } from "./test-support/trial.ts";
import { startWorkTrial } from "./test-support/work-trial.ts";

const shown = (trial: Trial) => goalsIn(trial.requests.at(-1));
const urged = (text: string) => expect.stringMatching(new RegExp(`: *\\n${text}$`));
const over = expect.stringMatching(/^No goal is in force/);

/** Runs a command when it is asked to work, and chats otherwise. */
const model = following((prompt) =>
	prompt === "work" ? [{ calls: [call("bash", { command: "sleep 0.5" })] }] : undefined,
);

test("a goal is told once at the tail, again when it changes, over resume, and taken back when it is done; the end saves the brief", async () => {
	const trial = await startTrial({ model });
	const pi = trial.rpc();
	expect(await pi.answer("/cwl brief")).toMatch(
		/^cwl: no goal is set: .*\nno task is set: .*\nno constraints are set: /,
	);
	await pi.prompt("hello");
	expect(shown(trial)).toEqual([]);
	expect(await pi.answer("/cwl brief goal ship  it\n- on Thursday")).toBe(
		"cwl: the model sees the goal until /cwl brief goal done: ship  it\n- on Thursday",
	);
	await pi.prompt("go on");
	await pi.prompt("go on");
	expect(shown(trial)).toEqual([urged("ship  it\n- on Thursday")]);
	const path = briefPath(await pi.file());
	await pi.send({ type: "new_session" });
	expect(await readFile(path, "utf8")).toContain("### Goal\n\nship  it\n");
	await pi.kill();

	const resumed = trial.resume();
	await resumed.prompt("go on");
	expect(shown(trial)).toEqual([urged("ship  it\n- on Thursday")]);
	await resumed.command("/cwl brief goal first");
	await resumed.prompt("go on");
	expect(shown(trial)).toEqual([urged("ship  it\n- on Thursday"), urged("hello")]);
	expect(await resumed.answer("/cwl brief goal done")).toBe(
		"cwl: the goal is done, and the model is no longer reminded of it: hello",
	);
	expect((await readState(resumed)).goal).toEqual({ text: "hello", isDone: true });
	const finished = await readFile(briefPath(await resumed.file()), "utf8");
	expect(finished).toContain("### Goal\n\n_done_\n\nhello\n");
	await resumed.prompt("go on");
	await resumed.prompt("go on");
	expect(shown(trial)).toEqual([urged("ship  it\n- on Thursday"), urged("hello"), over]);
	expect(trial.breaks()).toEqual([]);
});

test("a goal that is set while the model works reaches it with the next result", async () => {
	const trial = await startTrial({ model });
	const pi = trial.rpc();
	const done = pi.prompt("work");
	while (trial.requests.length === 0) await new Promise((tick) => setTimeout(tick, 20));
	await pi.command("/cwl brief goal be quick");
	await done;
	const results = (trial.requests.at(-1)?.messages ?? []).filter(({ type }) => type === "result");
	expect(results.map(({ text }) => text)).toEqual([expect.stringContaining("\nbe quick\n</goal>")]);
	await pi.prompt("hello");
	expect(shown(trial)).toEqual([urged("be quick")]);
});

test("a goal that has left with its episode is told again, and every request of a long session shows it once", async () => {
	const trial = await startWorkTrial(3, 6);
	const pi = trial.rpc({ environment: { CWL_BUDGET: "24k" } });
	await pi.prompt(trial.prompts[0] ?? "");
	await pi.command("/cwl brief goal keep the tests green");
	await pi.promptAll(trial.prompts.slice(1));
	const { passes } = await readState(pi);
	expect(passes.length).toBeGreaterThan(1);
	const counts = trial.requests.map((request) => goalsIn(request).length);
	const first = counts.indexOf(1);
	expect(first).toBeGreaterThan(0);
	expect(Math.max(...counts)).toBe(1);
	// A pass may take it; the result or user turn after that request shows it again.
	const bare = counts.flatMap((count, index) => (index > first && count === 0 ? [index] : []));
	for (const index of bare) expect(counts[index + 1] ?? 1).toBe(1);
});
