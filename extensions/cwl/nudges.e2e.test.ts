import { expect, test } from "vitest";
import { type ModelReply, type ModelRequest, scripted } from "#testing";
import { end, read, start } from "./test-support/following.ts";
import { startTrial } from "./test-support/trial.ts";

/** Reads that show the same and are not the same call, which would be taken for a loop. */
const reads = (count: number): ModelReply[] =>
	Array.from({ length: count }, (_, at) => ({
		calls: [read("a.txt", { limit: 10 + at })],
	}));

function notes({ messages }: ModelRequest): readonly string[] {
	return messages.flatMap((message) =>
		message.type === "result" && message.text.includes("<context-note ") ? [message.text] : [],
	);
}

test("work without marks is mentioned once, in a tool result that stays where it is", async () => {
	const trial = await startTrial({ model: scripted(reads(14)), files: { "a.txt": "the text" } });
	await trial.run(["-p", "go"]);
	expect(trial.requests.length).toBe(15);
	expect(trial.requests.map((request) => notes(request).length)).toEqual([
		...Array(9).fill(0),
		...Array(6).fill(1),
	]);
	const [note] = notes(trial.requests[14] as ModelRequest);
	expect(note).toMatch(
		/^the text\n<context-note \d{6}>\nthis work is not marked: start an episode with delimiter, together with your next call\.\n<\/context-note>$/,
	);
	expect(
		trial.loopback
			.records()
			.slice(1)
			.every(({ extendsPrevious }) => extendsPrevious),
	).toBe(true);
});

test("a message that does what a nudge would ask for gets none: the state after its results counts", async () => {
	const look = [start("look-0", "expl"), read("big.txt")];
	const fix = [end("It is long."), start("fix-0", "act", { dependencies: ["look-0"] }), read("a.txt")];
	const unmarked = reads(8).flatMap(({ calls = [] }) => ({ calls: [end(), ...calls] }));
	const begun = [start("first", "expl"), read("a.txt", { limit: 99 })];
	// Passes take messages, so that the number of the request says which reply is due.
	const replies = [{ calls: look }, { calls: fix }, ...unmarked, { calls: begun }].values();
	const trial = await startTrial({
		model: () => replies.next().value ?? { text: "done" },
		files: { "a.txt": "the text", "big.txt": "one more line of text\n".repeat(1_500) },
	});
	await trial.run(["-p", "go"], { environment: { CWL_BUDGET: "16k" } });
	expect(trial.requests.length).toBe(12);
	expect(trial.requests.flatMap(notes)).toEqual([]);
	expect(trial.sent().join()).toContain('started expl "first"');
});

test("a model that has no tool for marks is not asked for them", async () => {
	const trial = await startTrial({ model: scripted(reads(14)), files: { "a.txt": "the text" } });
	await trial.run(["-p", "--tools", "read", "go"]);
	const [first, last] = [trial.requests[0], trial.requests[14]] as ModelRequest[];
	expect(first?.system).not.toContain("delimiter");
	expect(last && notes(last)).toEqual([]);
});

test.each([
	["the same", "a.txt", "the text"],
	["what is not there", "b.txt", expect.stringContaining("ENOENT")],
])(
	"a model that reads %s over and over is refused, then stopped, and its user told why",
	async (_, path, answer) => {
		const trial = await startTrial({
			model: () => ({ calls: [read(path)] }),
			files: { "a.txt": "the text" },
		});
		const pi = trial.rpc();
		await pi.prompt("go");
		const results = trial.requests.at(-1)?.messages.filter(({ type }) => type === "result") ?? [];
		expect(results.slice(0, 5).map(({ text }) => text)).toEqual(Array(5).fill(answer));
		expect(results.at(-1)?.text).toMatch(/^read was called with these arguments 5 times/);
		expect(pi.notices()).toContainEqual({
			kind: "error",
			text: expect.stringMatching(
				/^cwl: the run was stopped in a loop: read was called .* what to do next\.$/,
			),
		});
	},
);
