import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { call, following, read, start } from "./test-support/following.ts";
import { readState } from "./test-support/state.ts";
import { startTrial } from "./test-support/trial.ts";

const status = (at: number) =>
	[...Array.from({ length: 300 }, (_, i) => `worker ${i} reports that all is well`), `state ${at}`].join(
		"\n",
	);

const poll = read("status.txt");
const end = call("delimiter", { action: "end", description: "the limit is 7", keep: true });
/** Reads the same growing status again and again, in one episode that it marks to keep, and then in others. */
const poller = following((prompt) =>
	prompt.endsWith("try 1?")
		? [{ calls: [start("limits", "expl"), read("limits.txt")] }, { calls: [end, poll] }]
		: [{ calls: [poll] }],
);

test("semantic-merge leaves one copy of a polled file and a diff for the others; an episode marked to keep stays", async () => {
	const trial = await startTrial({ model: poller });
	const limits = Array.from({ length: 60 }, (_, i) => `limit ${i} of the service is ${i * 7}`).join("\n");
	await writeFile(join(trial.work, "limits.txt"), limits);
	const pi = trial.rpc({ environment: { CWL_POLICY: "semantic-merge", CWL_BUDGET: "9k" } });
	for (const at of [1, 2, 3, 4, 5]) {
		await writeFile(join(trial.work, "status.txt"), status(at));
		await pi.prompt(`what is the status, try ${at}?`);
	}
	const { episodes, passes } = await readState(pi);
	expect(passes.length).toBeGreaterThan(0);
	const sent = trial.bodies().at(-1) ?? "";
	expect(sent).toMatch(/merged into later outputs: read .*status\.txt/);
	expect(sent).toMatch(/-\\+"state 1\\+" \+\\+"state \d\\+"/);
	expect(sent).toContain("limit 59 of the service is 413");
	expect(episodes.find(({ name }) => name === "limits")).toMatchObject({ level: 0, kept: true });
	expect(await pi.answer("/cwl recall status.txt")).toMatch(/^cwl: recalled status\.txt/);
});
