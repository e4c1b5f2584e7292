/** The statements of all screens once another model is in use, against the figures of the model server. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { fieldsOf, formatTokens, recordsOf, textOf } from "#basics";
import { momentText, showTokens } from "#pi/screen";
import { expectOneReport } from "./test-support/reports.ts";
import { expectNear } from "./test-support/screens.ts";
import { readState } from "./test-support/state.ts";
import { keepsSystemMessages, PROJECT, until } from "./test-support/trial.ts";
import { countRequest } from "./test-support/wire-figures.ts";
import { startWorkTrial } from "./test-support/work-trial.ts";

type Session = ReturnType<Awaited<ReturnType<typeof startWorkTrial>>["rpc"]>;

const use = (pi: Session, modelId: string) => pi.send({ type: "set_model", provider: "loopback", modelId });

/** The only passes are those that the test makes. */
const unforced = { CWL_BUDGET: "120k", CWL_POLICY: "paper-adapted" };

/** The size and the next pass that the footer has to name. */
async function footerOf(pi: Session) {
	const { pressure, nextPasses } = await readState(pi);
	const show = (tokens: number) => showTokens(tokens, pressure.source === "reported");
	const [next] = nextPasses;
	const size = next && `${next.effect ? "" : "likely "}${show(next.freed)} less`;
	const pass = next ? ` · pass ${momentText(next, show)}: ${size}` : "";
	return `cwl ${show(pressure.used)}/${formatTokens(pressure.budget)} \\d+%${pass} `;
}

test("the footer shows size, budget and next pass of a new model at once", async () => {
	const trial = await startWorkTrial(3, 4, { api: "anthropic", models: ["claude-opus-4-5"] });
	const pi = trial.rpc({ environment: { CWL_BUDGET: "30k" } });
	for (const prompt of trial.prompts.slice(0, 3)) await pi.prompt(prompt);
	for (const model of ["claude-opus-4-5", "anthropic"]) {
		await use(pi, model);
		// Sizes are marked until the model has reported one.
		await until(() => pi.status().startsWith("cwl ~") === (model !== "anthropic"));
		const shown = pi.status();
		expect(shown).toMatch(new RegExp(await footerOf(pi)));
		expect(shown).not.toContain(" cached");
	}
});

test("a pass for a model that has nothing cached has nothing written again", async () => {
	const trial = await startWorkTrial(3, 5, { api: "anthropic", models: ["claude-opus-4-5"] });
	const pi = trial.rpc({ args: ["--thinking", "off"], environment: unforced });
	await pi.promptAll(trial.prompts);
	await use(pi, "claude-opus-4-5");
	const late = (await readState(pi)).episodes.findLast(({ tokens }) => tokens > 300);
	const evicted = await pi.answer(`/cwl evict ${late?.name}`);
	expect(evicted).toMatch(/ leave: .+\. The next request writes at most /);
	const first = await countRequest(trial, pi, "thank you");
	expect(first.written).toBe(first.sent);
	const passes = async () => (await readState(pi)).passes;
	const [made, ...more] = await passes();
	expect(more).toEqual([]);
	expect(made).toMatchObject({ rewritten: 0, isKnown: false });
	expect(pi.status()).toContain(` · pass #${made?.number}: ~`);
	// Its figures are those of its time, whichever model is in use and whatever that reports.
	await use(pi, "anthropic");
	expect(await passes()).toEqual([made]);
	const { passes: reported } = JSON.parse((await trial.run(["report", await pi.file(), "--json"])).stdout);
	const { before, after, rewritten } = made ?? {};
	expect(reported.at(-1)).toMatchObject({ before, after, rewritten, isKnown: false });
});

test("a pass of a refused request keeps its figures, and does not have those of the next pass", async () => {
	let isRefusing = false;
	const trial = await startWorkTrial(3, 5, {
		api: "anthropic",
		models: ["claude-opus-4-5"],
		settings: { retry: { enabled: false } },
		fault: () => (isRefusing ? { type: "status", status: 500 } : undefined),
	});
	const pi = trial.rpc({ args: ["--thinking", "off"], environment: unforced });
	await pi.promptAll(trial.prompts);
	await use(pi, "claude-opus-4-5");
	const [early, later] = (await readState(pi)).episodes.filter(({ tokens }) => tokens > 300);
	await pi.command(`/cwl evict ${later?.name}`);
	isRefusing = true;
	await pi.prompt("thank you");
	isRefusing = false;
	const [refused] = (await readState(pi)).passes;
	expect(refused).toMatchObject({ rewritten: null });
	await use(pi, "anthropic");
	await pi.command(`/cwl evict ${early?.name}`);
	await pi.prompt("thank you");
	const [same, next] = (await readState(pi)).passes;
	expect(same).toEqual(refused);
	expect(next?.rewritten).toBeGreaterThan(1_000);
});

test("a pass of a new model's first requests ends in the panel at the size that the provider reported, whatever was estimated", async () => {
	const trial = await startWorkTrial(4, 5, { api: "anthropic", models: ["claude-opus-4-5"] });
	const pi = trial.rpc({ environment: { CWL_BUDGET: "12k" } });
	await pi.promptAll(trial.prompts.slice(0, 2));
	await use(pi, "claude-opus-4-5");
	await pi.promptAll(trial.prompts.slice(2));
	const panel = await pi.answer("/cwl");
	const { passes } = JSON.parse((await trial.run(["report", await pi.file(), "--json"])).stdout);
	const wire = trial.loopback.records().map(({ promptTokens }) => promptTokens);
	const rows = Array.from(panel.matchAll(/#(\d+) +\S+ → (\S+) /g), ([, number, size]) => {
		const { request } = passes[Number(number) - 1];
		return { size, reported: showTokens(wire[request - 1] ?? 0, size?.startsWith("~") === false) };
	});
	expect(rows.length).toBeGreaterThan(2);
	for (const { size, reported } of rows) expect(size).toBe(reported);
});

/** Three tasks by a model that thinks; another model is in use then. */
async function startSwitched() {
	const trial = await startWorkTrial(3, 4, {
		api: "anthropic",
		models: ["claude-opus-4-5"],
		addsThinking: true,
	});
	const pi = trial.rpc({ args: ["--thinking", "medium"], environment: unforced });
	await pi.promptAll(trial.prompts.slice(0, 3));
	await use(pi, "claude-opus-4-5");
	return { trial, pi };
}

test("after a switch, a pass names nothing of the other model's thinking, and why says that the pass made it invalid", async () => {
	const { pi } = await startSwitched();
	const [early, later] = (await readState(pi)).episodes.filter(({ tokens }) => tokens > 300);
	expect(await pi.answer(`/cwl evict ${early?.name}`)).toMatch(/ leave: [^,]+\. The next request /);
	const [made] = (await readState(pi)).passes;
	expect(made?.strips).toMatchObject([{ episode: early?.name }]);
	expect(await pi.answer(`/cwl why ${later?.name}`)).toContain(
		"; pass 1 (by hand) made another model's reasoning in it invalid, as older text changed. The rest stays ",
	);
});

test("after a switch, no thinking of the other model is sent, the request has the size that was named, and evict says one low water with plan", async () => {
	const { trial, pi } = await startSwitched();
	await pi.prompt(trial.prompts[3] ?? "");
	const { pressure } = await readState(pi);
	const { sent } = await countRequest(trial, pi, "thank you");
	expect(Math.abs(sent - pressure.used)).toBeLessThan(200);
	// The other model's thinking leaves with it, and then low water is another one.
	await pi.command("/cwl settings budget 24k");
	const [, stay = "", limit = ""] =
		/([\d.]+)k tokens stay: .+ at or below low water \(~?([\d.]+)k\)/.exec(await pi.answer("/cwl evict")) ??
		[];
	expect(await pi.answer("/cwl plan")).toContain(` aims at ${limit}k `);
	expect(Number(stay)).toBeLessThanOrEqual(Number(limit));
	const bodies = trial.loopback.records().map(({ body }) => JSON.stringify(body));
	const thoughts = bodies.flatMap((body) => body.match(/(?<="thinking":)"(?:[^"\\]|\\.)+"/g) ?? []);
	expect(thoughts.length).toBeGreaterThan(0);
	for (const thought of thoughts) expect(bodies.at(-1)).not.toContain(`"text":${thought}`);
});

test.runIf(keepsSystemMessages)(
	"each answer is counted with the changes of prompt and tools where its model takes them, also after a move in the tree and a resume",
	async () => {
		const trial = await startWorkTrial(3, 5, {
			api: "anthropic",
			models: ["claude-opus-5-5", "claude-sonnet-4-5"],
		});
		const args = ["-e", join(PROJECT, "extensions", "cwl", "test-support", "session-commands.ts")];
		const start = (more: readonly string[] = []) =>
			trial.rpc({ args: ["--thinking", "off", ...args, ...more] });
		const pi = start();
		await use(pi, "claude-opus-5-5");
		await pi.promptAll(trial.prompts.slice(0, 2));
		await pi.answer("/cwl off");
		await pi.prompt("thank you");
		await pi.answer("/cwl on");
		await pi.prompt("thank you");
		await use(pi, "claude-sonnet-4-5");
		await pi.prompt("thank you");
		const { state } = await expectOneReport(trial, pi);
		const { data } = await pi.send({ type: "get_fork_messages" });
		const last = recordsOf(fieldsOf(data).messages).at(-1);
		await pi.command(`/goto ${textOf(last?.entryId)}`);
		await pi.prompt("thank you");
		const { state: moved } = await expectOneReport(trial, pi);
		expectNear(moved.pressure.used, state.pressure.used, 40);
		await pi.kill();
		const resumed = start(["-c"]);
		const { state: again } = await expectOneReport(trial, resumed);
		expectNear(again.pressure.used, moved.pressure.used, 40);
		await use(resumed, "claude-opus-5-5");
		await expectOneReport(trial, resumed);
	},
);
