import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseFields } from "#basics";
import type { ModelRequest } from "#testing";
import { LOOPBACK_PROVIDER } from "#testing/pi-driver";
import { end, read, start } from "./test-support/following.ts";
import { readState, textOf } from "./test-support/state.ts";
import { PI, PROJECT, startTrial, until } from "./test-support/trial.ts";
import { countRequest, tokensIn } from "./test-support/wire-figures.ts";

/** The budget holds everything, so that no request of these tests needs a pass. */
const environment = { CWL_BUDGET: "44k" };
const settings = { compaction: { keepRecentTokens: 20_000 } };
const FILES = 5;
const PROMPTS = ["read them", "go on", "hello again", "and again"];

/** Reads each file after the prompt that asks for it, and writes the summary that pi asks for. */
function model({ tools, messages }: ModelRequest) {
	if (tools.length === 0) return { text: "A summary of the session." };
	// The extension may add messages of its own behind the prompt.
	const prompt = messages.findLastIndex(({ text }) => PROMPTS.includes(text.trim()));
	const taken = messages.slice(prompt).filter(({ type }) => type === "assistant").length;
	if (!messages[prompt]?.text.includes("read") || taken === FILES) return { text: "ok" };
	return { calls: [read(`file-${taken}.txt`)] };
}

async function startWithFiles(given: Readonly<Record<string, unknown>> = settings, factor = 1) {
	const fault = () => ({ type: "usage-scaled", factor }) as const;
	const trial = await startTrial({ model, settings: given, api: "anthropic", fault });
	for (let file = 0; file < FILES; file += 1) {
		const lines = Array.from({ length: 700 }, (_, line) => `${file}/${line} bottles of cold beer`);
		await writeFile(join(trial.work, `file-${file}.txt`), lines.join("\n"));
	}
	const sizes = () => trial.loopback.records().map(({ promptTokens = 0 }) => promptTokens);
	return { trial, sizes };
}

test.each([
	["by cwl's user, and a message was sent since", {}, ["read them", "go on"]],
	["by cwl's user, and nothing was sent since", {}, ["read them"]],
	["by pi before cwl came", { program: PI }, ["read them", "go on"]],
])(
	"a session that was compacted %s keeps what is behind the compaction when it is resumed",
	async (_who, program, prompts) => {
		const { trial, sizes } = await startWithFiles();
		const before = trial.rpc({ ...program, environment });
		const [first = "", ...later] = prompts;
		await before.prompt(first);
		await before.send({ type: "compact" });
		await before.promptAll(later);
		await before.kill();
		const resumedAt = sizes().length;
		const largest = Math.max(...sizes());

		const resumed = trial.resume({ environment });
		await resumed.prompt("hello again");
		await resumed.prompt("and again");
		const [size = 0, next = 0] = sizes().slice(resumedAt);
		expect(size).toBeGreaterThan(10_000);
		expect(size).toBeLessThan(largest);
		expect(next).toBeGreaterThanOrEqual(size);
		expect(
			resumed
				.notices()
				.map(({ text }) => text)
				.filter((text) => text.includes("evict")),
		).toEqual([]);
		const { pressure, passes } = await readState(resumed);
		expect(passes).toEqual([]);
		expect(Math.abs(pressure.used - next) / next).toBeLessThan(0.02);
	},
);

test("a session whose answers speak of evicted work and of a history that was compacted is sent whole when it is resumed", async () => {
	const { trial, sizes } = await startWithFiles();
	const recorded = join(PROJECT, "extensions/cwl/test-support/compacted-session.jsonl");
	const text = await readFile(recorded, "utf8");
	const copy = join(trial.directory, "session.jsonl");
	const own = text.replaceAll('"mock-1"', '"anthropic"').replaceAll('"mock"', '"loopback"');
	await writeFile(copy, own.replaceAll('"/w/case"', JSON.stringify(trial.work)));
	await trial.run(["--session", copy, "-p", "hello again"], { environment: { CWL_BUDGET: "40k" } });
	// The recorded answer behind the compaction had 22,438 tokens.
	expect(sizes().at(-1)).toBeGreaterThan(20_000);
	expect(sizes().at(-1)).toBeLessThan(25_000);
});

test("an episode from before a compaction is known by its name, and what became of it is said", async () => {
	const answers = [
		{
			calls: [start("look-zero", "expl"), read("file-0.txt")],
		},
		{ calls: [end("beer")] },
	];
	const trial = await startTrial({
		settings: { compaction: { keepRecentTokens: 100 } },
		api: "anthropic",
		model: ({ tools }) => (tools.length === 0 ? { text: "A summary." } : (answers.shift() ?? { text: "ok" })),
	});
	await writeFile(join(trial.work, "file-0.txt"), "cold beer\n".repeat(700));
	const pi = trial.rpc({ environment });
	await pi.prompt("read it");
	await pi.prompt("go on");
	// A pin keeps from passes, and this is what it promises.
	expect(await pi.answer("/cwl pin look-zero")).toMatch(
		/^cwl: look-zero is pinned: no pass takes its [\d.]+k tokens until you pin it again, except for its thinking, which may leave where older text changes; \/compact still summarizes them\.$/,
	);
	await pi.command("/cwl pin look-zero");
	await pi.command("/cwl evict look-zero");
	await pi.send({ type: "compact" });
	const { episodes } = await readState(pi);
	const rest = episodes.filter(({ restOf }) => restOf === "look-zero");
	expect(rest.map(({ pinned }) => pinned)).toEqual([false]);
	expect(await pi.answer(`/cwl why ${rest[0]?.name}`)).toMatch(
		/[:;] pass 1 \(by hand\) took parts of it, as you asked for it\./,
	);
	const became =
		/^cwl: look-zero \(expl, closed\) was compacted: the summary of pi's \/compact is in its place\. The rest of it is called unmarked-\d+\. \/cwl recall look-zero gives its exact text\.$/;
	for (const command of ["why", "evict", "pin"]) {
		const notices = await pi.command(`/cwl ${command} look-zero`);
		expect(textOf(notices)).toMatch(became);
	}
	// The beginning of its name is enough.
	expect(await pi.answer("/cwl recall look-z")).toMatch(/^cwl: recalled "?look-zero"? /);
	expect(await pi.answer("/cwl why look-zero")).toMatch(
		/ \S+ has recalled text of it\. \/cwl recall look-zero gives its exact text\.$/,
	);
	const note = (await readState(pi)).episodes.find(({ isRecall }) => isRecall)?.name;
	expect(pi.status()).toContain(" · pass #1: ");
	await pi.prompt("more ".repeat(300));
	await pi.send({ type: "compact" });
	expect(await pi.answer(`/cwl why ${note}`)).toMatch(/^cwl: \S+ \(note, \w+\) was compacted: /);
	expect(pi.status()).not.toContain("pass #");
	expect(await pi.answer("/cwl undo")).toBe(
		"cwl: a compaction summarized all that pass 1 took: /cwl recall WHAT gives its exact text.",
	);
	await pi.prompt("thanks");
	expect(pi.status()).not.toContain("pass #");
	await pi.kill();
	const resumed = trial.resume({ environment });
	await until(() => /k\/44k/.test(resumed.status()));
	expect(resumed.status()).not.toContain("pass #");
});

test("an episode that a compaction cut and that a message of yours parts counts as one episode wherever a pass names it", async () => {
	const answers = [
		{ calls: [start("look-zero", "expl"), read("file-0.txt")] },
		{ text: "half of it" },
		...["file-1.txt", "file-2.txt"].map((file) => ({ calls: [read(file)] })),
		{ text: "more of it" },
		{ calls: [read("file-3.txt")] },
		{ calls: [end("beer")] },
	];
	const trial = await startTrial({
		settings: { compaction: { keepRecentTokens: 5_000 } },
		api: "anthropic",
		model: ({ tools }) => (tools.length === 0 ? { text: "A summary." } : (answers.shift() ?? { text: "ok" })),
	});
	for (let file = 0; file < FILES; file += 1)
		await writeFile(join(trial.work, `file-${file}.txt`), `${file} cold beer\n`.repeat(700));
	const pi = trial.rpc({ environment: { ...environment, CWL_ZONES: "spike=nothing" } });
	await pi.promptAll(["read it", "go on", "go on", "thanks"]);
	await pi.send({ type: "compact" });
	const { episodes } = await readState(pi);
	expect(episodes.filter(({ restOf }) => restOf === "look-zero").length).toBeGreaterThan(1);
	await pi.command("/cwl settings budget 4k");
	await pi.prompt("thanks again");
	const [pass] = (await readState(pi)).passes;
	expect(textOf(pi.notices())).toMatch(/ tokens evicted from look-zero[,;]/);
	expect(await pi.answer(`/cwl why ${pass?.number}`)).toContain(" tokens of look-zero, ");
});

test("/cwl undo after a compaction says how much of what the pass took comes back, as the wire then shows", async () => {
	const answers = [
		{ calls: [start("look-zero", "expl"), read("file-0.txt")] },
		{ calls: [read("file-1.txt")] },
		{ calls: [end("beer")] },
	];
	const trial = await startTrial({
		settings: { compaction: { keepRecentTokens: 5_000 } },
		api: "anthropic",
		model: ({ tools }) => (tools.length === 0 ? { text: "A summary." } : (answers.shift() ?? { text: "ok" })),
	});
	for (const name of ["file-0.txt", "file-1.txt"])
		await writeFile(join(trial.work, name), `${name} cold beer\n`.repeat(700));
	const pi = trial.rpc({ environment });
	await pi.promptAll(["read it", "go on"]);
	await pi.command("/cwl evict look-zero");
	await pi.send({ type: "compact" });
	const { sent: small } = await countRequest(trial, pi, "and?");
	const said =
		/: the next request has ([\d.]+k) tokens again of what the pass took, and of the rest the summary /;
	const announced = await pi.answer("/cwl undo");
	expect(announced).toMatch(said);
	expect(announced).toMatch(
		/ Later passes spare what came back, but for work that a compaction cut: \/cwl pin keeps that\.$/,
	);
	const { sent } = await countRequest(trial, pi, "and?");
	expect(Math.abs(sent - small - tokensIn(said, announced))).toBeLessThan(100);
});

test("an eviction between a compaction and the next request frees what it says, whatever thinking the compaction took", async () => {
	const answers = ["file-0.txt", "file-1.txt"].map((file) => ({
		thinking: "What is in it? ".repeat(200),
		calls: [read(file)],
	}));
	const trial = await startTrial({
		settings: { compaction: { keepRecentTokens: 1_500 } },
		api: "anthropic",
		models: ["claude-sonnet-4-5", "claude-opus-4-5"],
		model: ({ tools }) => (tools.length === 0 ? { text: "A summary." } : (answers.shift() ?? { text: "ok" })),
	});
	for (const name of ["file-0.txt", "file-1.txt"])
		await writeFile(join(trial.work, name), `${name} cold beer\n`.repeat(200));
	const pi = trial.rpc({ args: ["--thinking", "medium"], environment });
	const useModel = (modelId: string) => pi.send({ type: "set_model", provider: LOOPBACK_PROVIDER, modelId });
	await useModel("claude-sonnet-4-5");
	await pi.prompt("read them");
	// The thinking of before is another model's now, which no request sends.
	await useModel("claude-opus-4-5");
	await pi.prompt("thanks");
	await pi.send({ type: "compact" });
	const { pressure, episodes } = await readState(pi);
	const [largest] = episodes.toSorted((a, b) => b.tokens - a.tokens);
	const answer = await pi.answer(`/cwl evict ${largest?.name}`);
	const said = tokensIn(/ ~?([\d.]+k?) tokens of \d+ (?:episode|output)s? leave/, answer);
	expect(said).toBeGreaterThan(500);
	const [pass] = (await readState(pi)).passes;
	expect((pass?.before ?? 0) - (pass?.after ?? 0)).toBeLessThan(1.05 * (largest?.tokens ?? 0));
	const { sent } = await countRequest(trial, pi, "and?");
	expect(Math.abs(pressure.used - said - sent)).toBeLessThan(100);
});

test("the rest of an unmarked episode whose beginning was compacted says which one it is from, after a resume too", async () => {
	const { trial } = await startWithFiles({ compaction: { keepRecentTokens: 3_000 } }, 1.2);
	const pi = trial.rpc({ environment });
	await pi.prompt("read them");
	const whole = (await readState(pi)).episodes.at(-1);
	expect([whole?.origin, whole?.restOf]).toEqual(["inferred", null]);
	await pi.send({ type: "compact" });
	const [rest, ...more] = (await readState(pi)).episodes;
	expect(rest?.tokens).toBeLessThan(whole?.tokens ?? 0);
	expect([rest?.restOf, more]).toEqual([whole?.name, []]);
	const became = await pi.answer(`/cwl why ${whole?.name}`);
	expect(became).toContain(
		` was compacted: the summary of pi's /compact is in its place. The rest of it is called ${rest?.name}.`,
	);
	await pi.kill();
	const [resumed] = (await readState(trial.resume({ environment }))).episodes;
	expect([resumed?.name, resumed?.restOf]).toEqual([rest?.name, whole?.name]);
	// The answers of before the compaction say how the provider counts.
	expect(resumed?.tokens).toBe(rest?.tokens);
});

test("a note that was evicted before a compaction which begins with it counts in no size, as no request sends it", async () => {
	const { trial, sizes } = await startWithFiles();
	const pi = trial.rpc({ environment });
	await pi.promptAll(["read them", "go on"]);
	const evict = async (isNote: boolean) => {
		const { episodes } = await readState(pi);
		const found = episodes.find(({ isRecall, level }) => isRecall === isNote && level === 0);
		await pi.command(`/cwl evict ${found?.name}`);
		return found?.name;
	};
	await pi.command(`/cwl recall ${await evict(false)}`);
	await pi.prompt("hello again");
	expect(await evict(true)).toBeDefined();
	await pi.prompt("and again");
	const file = await pi.file();
	await pi.kill();
	const entries = (await readFile(file, "utf8")).trim().split("\n").map(parseFields);
	const note = entries.find(({ customType }) => customType === "cwl.recall");
	expect(JSON.stringify(note).length).toBeGreaterThan(10_000);
	const compaction = { type: "compaction", id: "c0", timestamp: new Date().toISOString(), tokensBefore: 1 };
	const links = { parentId: entries.at(-1)?.id, firstKeptEntryId: note?.id };
	await appendFile(file, `${JSON.stringify({ ...compaction, ...links, summary: "Beer was read." })}\n`);

	const resumed = trial.resume({ environment });
	const { used } = (await readState(resumed)).pressure;
	await resumed.prompt("hello again");
	const sent = sizes().at(-1) ?? 0;
	expect(sent).toBeLessThan(10_000);
	expect(Math.abs(used - sent)).toBeLessThan(0.02 * sent + 50);
});
