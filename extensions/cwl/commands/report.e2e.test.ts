import { readFile, stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { fieldsOf } from "#basics";
import { dollars } from "#pi/health";
import { LOOPBACK_PROVIDER } from "#testing/pi-driver";
import { readState, textOf } from "../test-support/state.ts";
import { startTrial } from "../test-support/trial.ts";
import { startWorkTrial } from "../test-support/work-trial.ts";

const commands = fileURLToPath(new URL("../test-support/session-commands.ts", import.meta.url));
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

test("/cwl report --redact leaves secrets out", async () => {
	const { pathOf } = await startReported();
	expect(await readFile(await pathOf("/cwl report --redact"), "utf8")).not.toContain(SECRET);
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

test("the cost is that of the whole session at once, also on another branch and after a compaction", async () => {
	const settings = { compaction: { keepRecentTokens: 1_000 } };
	const trial = await startWorkTrial(3, 4, { settings });
	const pi = trial.rpc({ args: ["-e", commands], environment: { CWL_BUDGET: "24k" } });
	/** The cost on all screens, and the cost of all answers in the file as pi's footer sums it up. */
	const costs = async () => {
		const said = await pi.answer("/cwl health");
		const shown = /Cost (\$[\d.]+)/.exec(said)?.[1];
		const here = /Cost \$[\d.]+ \(\$([\d.]+) of it on this branch\): /.exec(said.replace(/\n */g, " "))?.[1];
		const state = await readState(pi);
		const { cost, tokens } = state.health.costs?.cwl ?? { cost: 0, tokens: 0 };
		expect(dollars(cost)).toBe(shown);
		const report = JSON.parse((await trial.run(["report", await pi.file(), "--json"])).stdout);
		const lines = (await readFile(await pi.file(), "utf8")).trim().split("\n");
		const usages = lines.map((line) => fieldsOf(fieldsOf(fieldsOf(JSON.parse(line)).message).usage));
		const answers = usages.reduce(
			(sum, { cost: charged }) => sum + (Number(fieldsOf(charged).total) || 0),
			0,
		);
		return {
			cost,
			tokens,
			answers,
			here: Number(here ?? NaN),
			page: report.costs.arms[0].total,
			saved: (state.health.costs?.none.cost ?? 0) - cost,
		};
	};
	await pi.promptAll(trial.prompts.slice(0, 3));
	const before = await costs();
	expect(before.cost).toBeCloseTo(before.answers, 6);
	await pi.command(`/goto ${await pi.entryOf(trial.prompts[1] ?? "")}`);
	const moved = await costs();
	expect(before.here).toBeNaN();
	expect(moved.here).toBeGreaterThan(0);
	expect(moved.here).toBeLessThan(0.6 * moved.cost);
	// The comparison is with the shorter branch.
	expect(moved.cost).toBeCloseTo(before.cost, 6);
	expect(moved.saved).not.toBeCloseTo(before.saved, 6);
	await pi.prompt(trial.prompts[3] ?? "");
	const there = await costs();
	expect(there.cost).toBeGreaterThan(moved.cost);
	expect(there.here - moved.here).toBeCloseTo(there.cost - moved.cost, 2);
	expect([there.cost, there.page]).toEqual(
		[there.answers, there.answers].map((sum) => expect.closeTo(sum, 6)),
	);

	await pi.send({ type: "compact" });
	const compacted = await costs();
	expect(compacted.cost).toBeGreaterThan(there.cost);
	// Tokens are those of the requests that the dollars paid for.
	expect(compacted.tokens).toBeGreaterThan(there.tokens + 1_000);
	await pi.prompt("thank you");
	const after = await costs();
	expect(after.cost - compacted.cost).toBeCloseTo(after.answers - compacted.answers, 3);
	expect(after.page).toBeCloseTo(after.cost, 6);

	// Back to before the compaction, whose calls were made all the same.
	await pi.command(`/goto ${await pi.entryOf(trial.prompts[1] ?? "")}`);
	const back = await costs();
	expect([back.cost, back.page]).toEqual([after.cost, after.cost].map((sum) => expect.closeTo(sum, 6)));
});

test("the cost is what each answer cost at its own model, whichever is in use when it is looked at", async () => {
	const trial = await startWorkTrial(3, 4);
	const pi = trial.rpc({ environment: { CWL_BUDGET: "12k" } });
	await pi.promptAll(trial.prompts.slice(0, 3));
	const look = async () => {
		const health = await pi.answer("/cwl health");
		const state = await readState(pi);
		const { arms } = JSON.parse((await trial.run(["report", await pi.file(), "--json"])).stdout).costs;
		const page = Object.fromEntries(
			arms.map(({ kind, total }: { readonly kind: string; readonly total: number }) => [kind, total]),
		);
		const lines = (await readFile(await pi.file(), "utf8")).trim().split("\n");
		const charged = lines.map((line) => {
			const { usage } = fieldsOf(fieldsOf(JSON.parse(line)).message);
			return Number(fieldsOf(fieldsOf(usage).cost).total) || 0;
		});
		const { cwl, compaction, none } = state.health.costs ?? {};
		expect(page.session).toBeCloseTo(cwl?.cost ?? 0, 6);
		expect(page.compaction).toBeCloseTo(compaction?.cost ?? 0, 6);
		expect(page.none).toBeCloseTo(none?.cost ?? 0, 6);
		const footer = charged.reduce((sum, dollars) => sum + dollars, 0);
		expect(cwl?.cost).toBeCloseTo(footer, 6);
		const rewritten = state.passes.map((pass) => pass.rewritten);
		const { cost, saved } = state.health.regret;
		return {
			line: /Cost [^.]+\.\d+[^.]*/.exec(health)?.[0],
			none: none?.cost,
			footer,
			rewritten,
			looks: cost,
			saved,
		};
	};
	const before = await look();
	expect(before.rewritten.length).toBeGreaterThan(0);
	await pi.send({ type: "set_model", provider: LOOPBACK_PROVIDER, modelId: "anthropic" });
	expect(await look()).toEqual(before);
	await pi.prompt(trial.prompts[3] ?? "");
	const after = await look();
	expect(after.footer).toBeGreaterThan(before.footer);
	expect(after.rewritten.slice(0, before.rewritten.length)).toEqual(before.rewritten);
});

test("cwl report --json --redact prints a closed session without its secrets", async () => {
	const { trial, pi } = await startReported();
	const file = await pi.file();
	await pi.kill();
	const { stdout, code } = await trial.run(["report", file, "--json", "--redact"]);
	expect(code).toBe(0);
	expect(JSON.parse(stdout)).toMatchObject({
		version: 9,
		episodes: [{ name: "use-[token]", state: "open" }],
	});
});
