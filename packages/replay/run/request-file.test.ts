import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scratchFolder } from "../../workspace/test-support/scratch.ts";
import { createPrefixMeter } from "../metrics/prefix.ts";
import { openRecording } from "../recording/recording.ts";
import { replayUnder } from "../test-support/kept.ts";
import { writeLongSession } from "../test-support/long-session.ts";
import { countQuarters } from "../test-support/messages.ts";
import { createRequestFile } from "./jobs.ts";

const folder = scratchFolder();

const recording = openRecording(writeLongSession(20), countQuarters);
const { messages: recorded } = recording.session;

interface Line {
	readonly turn: number;
	readonly messages?: readonly unknown[];
	readonly system?: string;
	readonly keep?: number;
	readonly add?: readonly unknown[];
	readonly extraCalls?: readonly unknown[];
}

async function write(form: "full" | "delta", policy = "paper"): Promise<readonly Line[]> {
	const file = createRequestFile({ folder: join(folder, form), form }, `a.${policy}`, "be brief", recorded);
	const measure = createPrefixMeter(recording.sizes);
	for (const request of replayUnder(policy, recording, 4_000)) {
		file.write(request, measure(request.messages).sharedMessages);
	}
	file.close(true);
	const text = await readFile(join(folder, form, `a.${policy.replaceAll(":", "_")}.jsonl`), "utf8");
	return text
		.trimEnd()
		.split("\n")
		.map((line): Line => JSON.parse(line));
}

test("the full form holds each request whole, and the delta form says the same in less", async () => {
	const full = await write("full");
	const delta = await write("delta");
	expect(full.map(({ turn }) => turn)).toEqual([...recording.turns.keys()]);
	let messages: readonly unknown[] = [];
	const rebuilt = delta.map(({ turn, keep, add = [] }) => {
		const added = add.map((entry) => (typeof entry === "number" ? recorded[entry] : entry));
		messages = [...messages.slice(0, keep), ...added];
		return { turn, messages, system: "be brief" };
	});
	expect(rebuilt).toEqual(full);
	expect(JSON.stringify(delta).length).toBeLessThan(JSON.stringify(full).length / 10);
});

test("calls that a policy makes of its own stand with the request that they were made for", async () => {
	const lines = await write("delta", "compaction:keep=500:summary=100");
	const called = lines.filter(({ extraCalls }) => extraCalls !== undefined);
	expect(called.length).toBeGreaterThan(0);
	for (const { extraCalls = [], keep } of called) {
		expect(keep).toBe(0);
		for (const call of extraCalls) {
			expect(call).toEqual({ input: expect.any(Number), cached: 0, output: expect.any(Number) });
		}
	}
});

test("a file that was not finished leaves nothing behind", async () => {
	const options = { folder: join(folder, "cut"), form: "full" } as const;
	const file = createRequestFile(options, "a", "", recorded);
	for (const request of replayUnder("none", recording, 4_000).slice(0, 1)) file.write(request, 0);
	expect(await readdir(options.folder)).toEqual(["a.jsonl.partial"]);
	file.close(false);
	expect(await readdir(options.folder)).toEqual([]);
});

test("a folder that cannot be written is named", async () => {
	await writeFile(join(folder, "file"), "");
	const open = () => createRequestFile({ folder: join(folder, "file"), form: "full" }, "a", "", recorded);
	expect(open).toThrow(expect.objectContaining({ code: "not-writable" }));
});
