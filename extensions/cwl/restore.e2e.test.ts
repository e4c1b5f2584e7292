import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { fieldsOf, objectsOf, stringOf } from "#loopback";
import { takeSnapshot } from "./test-support/snapshot.ts";
import { startWorkTrial } from "./test-support/work-trial.ts";

const treeCommand = fileURLToPath(new URL("./test-support/tree-command.ts", import.meta.url));
/** No task: the worker answers without a tool, so that the repository stays as it is. */
const CHAT = "Thank you.";

test("clone, switch, fork and a move in the tree send what their branch has always sent", async () => {
	const trial = await startWorkTrial(1, 6, { api: "anthropic" });
	const { prompts } = trial;
	const pi = trial.rpc({ args: ["-e", treeCommand], environment: { CWL_BUDGET: "24k" } });
	const firstBodyOf = async (prompt: string) => {
		const index = trial.requests.length;
		await pi.prompt(prompt);
		return trial.bodies()[index];
	};
	for (const prompt of prompts.slice(0, 4)) await pi.prompt(prompt);
	expect(pi.status()).toContain("episode");
	const repository = await takeSnapshot(trial.directory, [trial.work]);
	const fork = prompts[4] ?? "";
	const sentThen = await firstBodyOf(fork);
	await pi.prompt(prompts[5] ?? "");
	const original = await pi.file();
	const messages = await pi.send({ type: "get_fork_messages" });
	const entry = objectsOf(fieldsOf(messages.data).messages).find(({ text }) => text === fork);
	const entryId = stringOf(entry?.entryId);

	await pi.send({ type: "clone" });
	expect(await pi.file()).not.toBe(original);
	const fromClone = await firstBodyOf(CHAT);
	await pi.send({ type: "switch_session", sessionPath: original });
	expect(await firstBodyOf(CHAT)).toBe(fromClone);

	await repository.restore();
	await pi.send({ type: "fork", entryId });
	expect(await firstBodyOf(fork)).toBe(sentThen);

	await pi.send({ type: "switch_session", sessionPath: original });
	await repository.restore();
	await pi.command(`/goto ${entryId}`);
	expect(await firstBodyOf(fork)).toBe(sentThen);

	await pi.send({ type: "new_session" });
	expect((await pi.command("/cwl")).map(({ text }) => text)).toEqual([
		expect.stringMatching(/\nno request yet$/),
	]);
	expect(pi.status()).toBe("cwl -/24k");
	await pi.prompt(CHAT);
	expect(trial.requests.at(-1)?.messages.filter(({ text }) => text.startsWith(CHAT))).toHaveLength(1);
	expect(trial.requests.at(-1)?.messages.length).toBeLessThanOrEqual(2);
	expect((await pi.command("/cwl"))[0]?.text).toContain("\n0 passes, 0 items evicted");
	expect(trial.loopback.records().filter(({ refused }) => refused)).toEqual([]);
});
