import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scratchFolder } from "../../workspace/test-support/scratch.ts";
import { openRecording } from "../recording/recording.ts";
import { replayUnder } from "../test-support/kept.ts";
import { writeLongSession } from "../test-support/long-session.ts";
import { countQuarters } from "../test-support/messages.ts";
import { createRequestFile } from "./jobs.ts";

const folder = scratchFolder();

const recording = openRecording(writeLongSession(20), countQuarters);

async function write(policy: string) {
	const requests = replayUnder(policy, recording, 4_000);
	const file = createRequestFile(join(folder, "all"), `a.${policy}`, "be brief");
	for (const request of requests) file.write(request);
	file.close(true);
	const text = await readFile(join(folder, "all", `a.${policy.replaceAll(":", "_")}.jsonl`), "utf8");
	const lines = text.trimEnd().split("\n");
	return { requests, lines: lines.map((line) => JSON.parse(line)) };
}

test("each line holds a request whole", async () => {
	const { requests, lines } = await write("paper");
	const sent = requests.map(({ index, messages }) => ({ turn: index, messages, system: "be brief" }));
	expect(lines).toEqual(sent);
});

test("calls that a policy makes of its own are listed with the request that they were made for", async () => {
	const { lines } = await write("compaction:keep=500:summary=100");
	const called = lines.filter(({ extraCalls }) => extraCalls !== undefined);
	expect(called.length).toBeGreaterThan(0);
	for (const call of called.flatMap(({ extraCalls }) => extraCalls))
		expect(call).toEqual({ input: expect.any(Number), cached: 0, output: expect.any(Number) });
});

test("a file that was not finished leaves nothing behind", async () => {
	const cut = join(folder, "cut");
	const file = createRequestFile(cut, "a", "");
	for (const request of replayUnder("none", recording, 4_000).slice(0, 1)) file.write(request);
	expect(await readdir(cut)).toEqual(["a.jsonl.partial"]);
	file.close(false);
	expect(await readdir(cut)).toEqual([]);
});

test("a folder that cannot be written is named", async () => {
	await writeFile(join(folder, "file"), "");
	const open = () => createRequestFile(join(folder, "file"), "a", "");
	expect(open).toThrow(expect.objectContaining({ code: "not-writable" }));
});
