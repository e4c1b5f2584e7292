import { readFile, stat } from "node:fs/promises";
import { expect, test } from "vitest";
import { textOf } from "../test-support/state.ts";
import { startTrial } from "../test-support/trial.ts";

const SECRET = "sk-abcdefghijklmnop123456";

test("/cwl report writes a page next to the session file, cwl report the same with or without secrets", async () => {
	const goal = { action: "start", name: `use-${SECRET}`, type: "expl" };
	let calls = 0;
	const model = () =>
		calls++ === 0 ? { calls: [{ name: "delimiter", arguments: goal }] } : { text: "done" };
	const trial = await startTrial({ model });
	const pi = trial.rpc();
	expect(textOf(await pi.command("/cwl report"))).toBe(
		"cwl: nothing to report yet: no request has been answered.",
	);
	await pi.prompt("go");
	const path = /^cwl: the report is in (.+\.report\.html)$/.exec(
		textOf(await pi.command("/cwl report")),
	)?.[1];
	const page = await readFile(path ?? "none", "utf8");
	expect(page).toMatch(/^<!doctype html>\n<html lang="en"><head>/);
	expect(page).toContain(SECRET);
	expect((await stat(path ?? "none")).mode & 0o077).toBe(0);
	await pi.command("/cwl report --redact");
	expect(await readFile(path ?? "none", "utf8")).not.toContain(SECRET);
	expect(JSON.parse(textOf(await pi.command("/cwl report --json"))).health.costs).toBeNull();
	expect(await pi.command("/cwl report now")).toEqual([
		{ kind: "error", text: expect.stringContaining("report takes only --redact") },
	]);
	const health = textOf(await pi.command("/cwl health"));
	// A session this short costs the same in every way.
	const cost = /Cost (\$0\.\d{4}): as much as with pi's compaction and as much as without eviction\./.exec(
		health,
	)?.[1];
	const { costs } = JSON.parse(textOf(await pi.command("/cwl report --json"))).health;
	expect(costs).toMatchObject({ compaction: costs.cwl, none: costs.cwl, requests: 2 });
	expect(`$${costs.cwl.cost.toFixed(4)}`).toBe(cost);
	const file = await pi.file();
	await pi.kill();

	const { stdout, code } = await trial.run(["report", file, "--json", "--redact"]);
	expect(code).toBe(0);
	expect(JSON.parse(stdout)).toMatchObject({
		version: 2,
		episodes: [{ name: "use-[token]", state: "open" }],
	});
	const missing = await trial.run(["report", "nowhere.jsonl"]);
	expect(missing).toMatchObject({ code: 2, stderr: "cwl: there is no session file nowhere.jsonl.\n" });
});
