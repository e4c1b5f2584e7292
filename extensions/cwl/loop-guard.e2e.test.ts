import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ModelReply } from "#loopback";
import { startTrial } from "./test-support/trial.ts";

const read: ModelReply = { calls: [{ name: "read", arguments: { path: "a.txt" } }] };

test("a model that reads the same over and over is refused, then stopped, and its user told why", async () => {
	const trial = await startTrial({ model: () => read });
	await writeFile(join(trial.work, "a.txt"), "the text");
	const pi = trial.rpc();
	await pi.prompt("go");
	const results = trial.requests.at(-1)?.messages.filter(({ type }) => type === "result") ?? [];
	expect(results.slice(0, 5).map(({ text }) => text)).toEqual(Array(5).fill("the text"));
	expect(results.at(-1)?.text).toMatch(/^read was called with these arguments 5 times/);
	expect(pi.notices()).toContainEqual({
		kind: "error",
		text: expect.stringMatching(/^cwl: the run was stopped in a loop: read was called .* what to do next\.$/),
	});
	expect(trial.loopback.records().filter(({ refused }) => refused)).toEqual([]);
});
