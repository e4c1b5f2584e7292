import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ModelReply, ModelRequest } from "../../packages/loopback/model.ts";
import { scripted } from "../../packages/loopback/scripts.ts";
import { startTrial } from "./test-support/trial.ts";

const read: ModelReply = { calls: [{ name: "read", arguments: { path: "a.txt" } }] };

function notes({ messages }: ModelRequest): readonly string[] {
	return messages.flatMap((message) =>
		message.type === "result" && message.text.includes("<context-note>") ? [message.text] : [],
	);
}

test("work without marks is mentioned once, in a tool result that stays where it is", async () => {
	const trial = await startTrial({ model: scripted(Array(14).fill(read)) });
	await writeFile(join(trial.work, "a.txt"), "the text");
	await trial.run(["-p", "go"]);
	expect(trial.requests.length).toBe(15);
	expect(trial.requests.map((request) => notes(request).length)).toEqual([
		...Array(9).fill(0),
		...Array(6).fill(1),
	]);
	const [note] = notes(trial.requests[14] as ModelRequest);
	expect(note).toBe(
		"the text\n<context-note>\nthis work is not marked: start an episode with delimiter, together with your next call.\n</context-note>",
	);
	expect(
		trial.loopback
			.records()
			.slice(1)
			.every(({ extendsPrevious }) => extendsPrevious),
	).toBe(true);
}, 30_000);

test("nothing is said while CWL is off", async () => {
	const trial = await startTrial({ model: scripted(Array(10).fill(read)) });
	await writeFile(join(trial.work, "a.txt"), "the text");
	await trial.run(["-p", "go"], { environment: { CWL_ENABLED: "false" } });
	expect(trial.requests.flatMap(notes)).toEqual([]);
}, 30_000);
