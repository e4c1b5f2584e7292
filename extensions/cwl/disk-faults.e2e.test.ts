import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readSessionEntries, userTexts } from "./test-support/session-entries.ts";
import { keepsSystemMessages, PROJECT } from "./test-support/trial.ts";
import { startWorkTrial } from "./test-support/work-trial.ts";

/** A session on a disk that can be made to fail: the same errors, made where the process writes. */
async function startOnDisk(tasks: number, settings: Readonly<Record<string, string>> = {}) {
	const trial = await startWorkTrial(1, tasks);
	const folder = join(trial.directory, "disk");
	const flag = join(trial.directory, "disk-fails");
	mkdirSync(folder);
	const hook = join(PROJECT, "extensions", "cwl", "test-support", "failing-disk.mjs");
	const environment = { NODE_OPTIONS: `--import ${hook}`, CWL_FAILING_DISK: flag, ...settings };
	const file = join(folder, "session.jsonl");
	return {
		...{ trial, file, pi: trial.rpc({ args: ["--session", file], environment }) },
		fail: () => writeFileSync(flag, "ENOSPC"),
		heal: () => rmSync(flag),
	};
}

/** pi from 0.87 on ends a run whose entry the disk refuses, and takes that entry out of its memory again. */
const endsRefusedRuns = keepsSystemMessages;

test.runIf(endsRefusedRuns)("a disk that ended a run goes on with the next, on one branch", async () => {
	const { trial, file, pi, fail, heal } = await startOnDisk(3);
	const [first = "", second = "", third = ""] = trial.prompts;
	await pi.prompt(first);
	fail();
	await pi.prompt(second);
	heal();
	await pi.prompt(third);
	await pi.kill();
	const session = await readSessionEntries(file);
	expect(session.orphans).toEqual([]);
	expect(userTexts(session)).toHaveLength(2);
});

test.skipIf(endsRefusedRuns)(
	"a disk that was full for a while has the whole session in the end",
	async () => {
		const { trial, file, pi, fail, heal } = await startOnDisk(4, { CWL_BUDGET: "24k" });
		const [first = "", ...rest] = trial.prompts;
		await pi.prompt(first);
		fail();
		await pi.promptAll(rest);
		const told = pi.notices().filter(({ text }) => text.includes("ENOSPC"));
		expect(told.map(({ text }) => text)).toEqual([
			expect.stringMatching(/^cwl: the session file cannot be kept whole \(ENOSPC.*Free the disk/),
		]);
		heal();
		await pi.prompt("Thank you.");
		await pi.kill();
		const session = await readSessionEntries(file);
		expect(session.orphans).toEqual([]);
		expect(userTexts(session)).toHaveLength(5);
		const results = session.branch.filter(({ message }) => message?.role === "toolResult");
		const messages = trial.requests.flatMap((request) => request.messages);
		const sent = new Set(messages.flatMap((each) => (each.type === "result" ? [each.callId] : [])));
		expect(results).toHaveLength(sent.size);
		expect(pi.said("info")).toContainEqual(
			expect.stringMatching(/^cwl: wrote \d+ entries that the session file had missed\.$/),
		);
	},
);

test("two processes on one session lose nothing, and are told of each other", async () => {
	const trial = await startWorkTrial(1, 1);
	const first = trial.rpc();
	await first.prompt(trial.prompts[0] ?? "");
	const file = await first.file();
	const second = trial.rpc({ args: ["--session", file] });
	await second.prompt("said by the second");
	await first.prompt("said by the first");
	await first.prompt("said by the first again");
	const said = first.said("warning");
	expect(said.filter((text) => text.includes("another process writes to this session too"))).toHaveLength(1);
	for (const pi of [first, second]) await pi.close();

	const session = await readSessionEntries(file);
	expect({ orphans: session.orphans, unreadable: session.unreadable }).toEqual({
		orphans: [],
		unreadable: 0,
	});
	expect(new Set(session.entries.map(({ id }) => id)).size).toBe(session.entries.length);
	expect(JSON.stringify(session.entries)).toContain("said by the second");
	const count = trial.requests.length;
	const resumed = trial.rpc({ args: ["--session", file] });
	await resumed.prompt("Thank you.");
	const texts = trial.requests[count]?.messages.map(({ text }) => text) ?? [];
	expect(texts).toContain(trial.prompts[0]);
	expect(texts).toContain("said by the first again");
});
