import { readFile, stat } from "node:fs/promises";
import { expect, test } from "vitest";
import { textOf } from "../test-support/state.ts";
import { startTrial } from "../test-support/trial.ts";

const SECRET = "sk-abcdefghijklmnop123456";

/** A session of two requests, in which the model has named an episode after a secret. */
async function startReported() {
	const goal = { action: "start", name: `use-${SECRET}`, type: "expl" };
	let calls = 0;
	const model = () =>
		calls++ === 0 ? { calls: [{ name: "delimiter", arguments: goal }] } : { text: "done" };
	const trial = await startTrial({ model });
	const pi = trial.rpc();
	await pi.prompt("go");
	const said = async (command: string) => textOf(await pi.command(command));
	/** The path of the page that the command wrote. */
	const pathOf = async (command: string) =>
		/^cwl: the report is in (.+\.report\.html)$/.exec(await said(command))?.[1] ?? "none";
	return { trial, pi, said, pathOf };
}

test("before the first answer there is nothing to report", async () => {
	const trial = await startTrial({ model: () => ({ text: "done" }) });
	expect(textOf(await trial.rpc().command("/cwl report"))).toBe(
		"cwl: nothing to report yet: no request has been answered.",
	);
});

test("/cwl report writes a page next to the session file that only its owner may read", async () => {
	const { pi, pathOf } = await startReported();
	const path = await pathOf("/cwl report");
	expect(path).toBe((await pi.file()).replace(".jsonl", ".report.html"));
	const page = await readFile(path, "utf8");
	expect(page).toMatch(/^<!doctype html>\n<html lang="en"><head>/);
	expect(page).toContain(SECRET);
	expect((await stat(path)).mode & 0o077).toBe(0);
});

test("/cwl report --redact leaves secrets out, and another word is refused with what it takes", async () => {
	const { pi, pathOf } = await startReported();
	expect(await readFile(await pathOf("/cwl report --redact"), "utf8")).not.toContain(SECRET);
	expect(await pi.command("/cwl report now")).toEqual([
		{ kind: "error", text: expect.stringContaining("report takes only --redact") },
	]);
});

test("/cwl report --json has the costs that /cwl health has worked out and says", async () => {
	const { said } = await startReported();
	expect(JSON.parse(await said("/cwl report --json")).health.costs).toBeNull();
	// A session this short costs the same in every way.
	const cost = /Cost (\$0\.\d{4}): no pass yet, so nothing was saved\./.exec(await said("/cwl health"))?.[1];
	const { costs } = JSON.parse(await said("/cwl report --json")).health;
	expect(costs).toMatchObject({ compaction: costs.cwl, none: costs.cwl, requests: 2 });
	expect(`$${costs.cwl.cost.toFixed(4)}`).toBe(cost);
});

test("cwl report --json --redact prints a closed session without its secrets", async () => {
	const { trial, pi } = await startReported();
	const file = await pi.file();
	await pi.kill();
	const { stdout, code } = await trial.run(["report", file, "--json", "--redact"]);
	expect(code).toBe(0);
	expect(JSON.parse(stdout)).toMatchObject({
		version: 4,
		episodes: [{ name: "use-[token]", state: "open" }],
	});
});

test("cwl report names a session file that is not there", async () => {
	const trial = await startTrial({ model: () => ({ text: "done" }) });
	const missing = await trial.run(["report", "nowhere.jsonl"]);
	expect(missing).toMatchObject({ code: 2, stderr: "cwl: there is no session file nowhere.jsonl.\n" });
});
