import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadTokenCounter } from "#pi/codec";
import { PASS_ENTRY, STEERING_ENTRY } from "#pi/session";
import { scratchFolder } from "../../workspace/test-support/scratch.ts";
import { formatSessionPage, reportPath, writeReport } from "../pages/session-page.ts";
import { writeLongSession } from "../test-support/long-session.ts";
import { manageSession } from "../test-support/managed-run.ts";
import { shortConversations } from "../test-support/recordings.ts";
import { formatCost } from "./costs.ts";
import { makeReport } from "./make-report.ts";

const folder = scratchFolder();
const whole = { isRedacted: false };

/** The file of a session that was kept under 4k tokens; `more` entries come last. */
async function sessionFile(name: string, ...more: readonly object[]): Promise<string> {
	const { branch, id, cwd } = manageSession(writeLongSession(12).messages, 4_000, await loadTokenCounter());
	const all = [...branch, ...more].map((entry, i) => ({
		...entry,
		id: `e${i}`,
		parentId: i > 0 ? `e${i - 1}` : null,
	}));
	const path = join(folder, name);
	const lines = [{ type: "session", version: 3, id, cwd }, ...all].map((entry) => JSON.stringify(entry));
	await writeFile(path, `${lines.join("\n")}\n`);
	return path;
}

test("a session shows the budget that its last pass was made under, unless a command or the caller names another", async () => {
	const file = await sessionFile("a.jsonl");
	const given = { ...whole, budget: { budget: 9_000, isAuto: false } };
	expect((await makeReport(file, whole)).budget).toBe(4_000);
	expect((await makeReport(file, given)).budget).toBe(9_000);
	const entry = { type: "custom", customType: STEERING_ENTRY, data: { budget: "7k" } };
	expect((await makeReport(await sessionFile("b.jsonl", entry), whole)).budget).toBe(7_000);
});

test("a session is replayed under the budget that the user set, and the low water and policy of its passes, whatever the settings are today", async () => {
	const file = await sessionFile("kept.jsonl");
	const text = await readFile(file, "utf8");
	const settings = { isAuto: false, lowWater: "quality", policy: "paper-adapted" };
	await writeFile(
		file,
		text.replaceAll(
			'"budget":4000',
			`"budget":4050,"reported":{"budget":4000,"before":4400,"after":2000},"settings":${JSON.stringify(settings)}`,
		),
	);
	const { costs, budget } = await makeReport(file, whole);
	expect(budget).toBe(4_000);
	expect(costs.arms.map(({ kind, name }) => [kind, name])).toEqual([
		["session", "this session, as the provider reported"],
		["cwl", "replay: paper-adapted, budget 4k, lowWater quality"],
		["compaction", "replay: pi's compaction at 4k"],
		["none", "replay: no eviction"],
	]);
});

test("redacted, neither page nor data says where somebody's home is", async () => {
	const file = await sessionFile("c.jsonl");
	const report = await makeReport(file, { isRedacted: true });
	const path = reportPath(file);
	await writeReport(path, report, new Date(0));
	const page = await readFile(path, "utf8");
	expect(page).toContain("made on 1970-01-01");
	expect([page, JSON.stringify(report)].filter((text) => text.includes("/home/ann"))).toEqual([]);
	expect(report.folder).toBe("~/work");
});

/** A file whose answers from `first` on are of a model, charged by pi at its prices for each token. */
async function answeredBy(
	file: string,
	first: number,
	model: string,
	prices: Readonly<Record<string, number>>,
) {
	let answers = 0;
	let charged = 0;
	const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
	const mended = lines.map((line) => {
		const entry = JSON.parse(line);
		if (entry.message?.role !== "assistant") return line;
		answers += 1;
		if (answers <= first) return line;
		const { usage, ...message } = entry.message;
		const kinds = Object.keys(prices).map((kind) => [kind, (prices[kind] ?? 0) * usage[kind]] as const);
		const total = kinds.reduce((all, [, dollars]) => all + dollars, 0);
		charged += total;
		const [provider, name] = model.split("/");
		const cost = { ...Object.fromEntries(kinds), total };
		return JSON.stringify({
			...entry,
			message: { ...message, provider, model: name, usage: { ...usage, cost } },
		});
	});
	await writeFile(file, `${mended.join("\n")}\n`);
	return charged;
}

const own = { input: 7e-6, output: 3e-5, cacheRead: 7e-7, cacheWrite: 7e-6 };

test("prices are those at which pi charged, also of a model that no table has; those of a usual model without", async () => {
	const file = await sessionFile("charged.jsonl");
	const charged = await answeredBy(file, 0, "home/own-1", own);
	const { costs } = await makeReport(file, whole);
	expect(costs.unit).toBe("dollars at the prices of home/own-1");
	expect(costs.arms[0]?.total).toBeCloseTo(charged, 9);
	const free = await sessionFile("free.jsonl");
	await answeredBy(free, 0, "home/own-1", {});
	expect((await makeReport(free, whole)).costs.unit).toBe(
		"dollars at the prices of anthropic/claude-sonnet-4-6, because those of home/own-1 are unknown",
	);
});

test("a session of two models is priced by both, each answer by its own", async () => {
	const file = await sessionFile("two.jsonl");
	const first = await answeredBy(file, 0, "anthropic/claude-sonnet-4-6", own);
	const before = (await makeReport(file, whole)).costs.arms;
	const later = await answeredBy(file, 10, "home/own-1", { ...own, input: 7e-5, cacheRead: 7e-6 });
	const { costs } = await makeReport(file, whole);
	expect(costs.unit).toBe("dollars at the prices of anthropic/claude-sonnet-4-6 and home/own-1");
	expect(costs.arms[0]?.cumulative[9]).toBeCloseTo(before[0]?.cumulative[9] ?? 0, 9);
	expect(costs.arms[0]?.total).toBeCloseTo((before[0]?.cumulative[9] ?? 0) + later, 9);
	expect(costs.arms[0]?.total).toBeGreaterThan(first);
	expect(costs.arms.at(-1)?.cumulative[9]).toBeCloseTo(before.at(-1)?.cumulative[9] ?? 0, 9);
	expect(costs.arms.at(-1)?.total).toBeGreaterThan(2 * (before.at(-1)?.total ?? 0));
});

test("a request costs the same in every arm once a later one shows what its model reads the cache for", async () => {
	const file = await sessionFile("read.jsonl");
	await answeredBy(file, 10, "home/own-1", own);
	const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
	const answers = lines.flatMap((line, index) => (line.includes('"role":"assistant"') ? [index] : []));
	const first = answers[10] ?? 0;
	const unread = lines.map((line, index) => {
		if (index !== first) return line;
		const entry = JSON.parse(line);
		const { usage } = entry.message;
		const input = usage.input + usage.cacheRead;
		const cost = { ...usage.cost, input: own.input * input, cacheRead: 0 };
		entry.message.usage = {
			...usage,
			input,
			cacheRead: 0,
			cost: { ...cost, total: cost.input + cost.output },
		};
		return JSON.stringify(entry);
	});
	const budget = { budget: 4_000, isAuto: false, lowWater: "balanced" as const, policy: "cwl" };
	const armsOf = async (end: number) => {
		await writeFile(file, `${unread.slice(0, end).join("\n")}\n`);
		return (await makeReport(file, { ...whole, budget })).costs.arms;
	};
	const arms = await armsOf(unread.length);
	const before = await armsOf(first + 1);
	expect(before.map(({ cumulative }) => cumulative)).toEqual(
		arms.map(({ cumulative }) => cumulative.slice(0, 11)),
	);
});

test("a file with branches: the report says which one it is of, what of the cost is on it, and names the models of all", async () => {
	const file = await sessionFile("tree.jsonl");
	const total = await answeredBy(file, 0, "home/own-1", own);
	await answeredBy(file, 30, "home/own-2", own);
	const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
	const answer = lines.slice(0, -8).findLastIndex((line) => line.includes('"role":"assistant"'));
	const { id } = JSON.parse(lines[answer] ?? "");
	const leaf = { ...whole, leaf: id };
	const linear = await makeReport(file, whole);
	expect(linear.verdict).toMatch(/^cwl evicted .* The session cost \$[\d.]+ at /);
	expect(formatSessionPage(linear, "now")).toContain("the branch of the last entry");

	const open = await makeReport(file, leaf);
	const spent = open.costs.arms[0]?.cumulative.at(-1) ?? 0;
	expect(spent).toBeCloseTo(total, 9);
	const here = spent - open.costs.otherCalls.elsewhere;
	expect(here).toBeGreaterThan(0.5 * total);
	expect(open.verdict).toMatch(/^This is the open branch\. cwl evicted /);
	expect(open.verdict).toContain(
		` The session cost ${formatCost(total)} (${formatCost(here)} of it on this branch; what it is compared with has the rest too) at the prices of home/own-1 and home/own-2: `,
	);
	expect(formatSessionPage(open, "now")).toContain("the open branch");

	// The last entry is on a branch of its own, which is all that the file says.
	const user = { type: "message", message: { role: "user", content: "again", timestamp: 9e12 } };
	const more = JSON.stringify({ ...user, id: "again", parentId: id });
	await writeFile(file, `${[...lines, more].join("\n")}\n`);
	const last = await makeReport(file, whole);
	expect(last.costs.otherCalls).toEqual(open.costs.otherCalls);
	expect(last.verdict).toMatch(/^This is the branch of the last entry\. cwl evicted /);
});

test("a request that was stopped after its provider had counted it is the one of its pass", async () => {
	const file = await sessionFile("stopped.jsonl");
	const entries = (await readFile(file, "utf8"))
		.trim()
		.split("\n")
		.map((line) => JSON.parse(line));
	const at = entries.findLastIndex(({ customType }) => customType === PASS_ENTRY) + 1;
	const { message } = entries.slice(at).find((entry) => entry.message?.role === "assistant");
	const usage = { ...message.usage, input: 2_222, cacheRead: 0, cacheWrite: 0, totalTokens: 2_222 };
	const timestamp = message.timestamp - 1;
	const stopped = { type: "message", message: { ...message, timestamp, usage, stopReason: "aborted" } };
	const parents = entries.toSpliced(at, 0, { ...stopped, id: "stopped" });
	const lines = parents.map((entry, index) => {
		const parentId = index < 2 ? null : parents[index - 1].id;
		return JSON.stringify({ ...entry, parentId, timestamp: new Date(1e12 + index).toISOString() });
	});
	await writeFile(file, `${lines.join("\n")}\n`);
	const { passes, costs } = await makeReport(file, whole);
	expect(passes.at(-1)).toMatchObject({ sent: 2_222 });
	expect(passes.at(-1)?.rewritten).toBeGreaterThan(1_000);
	expect(costs.otherCalls).toMatchObject({ count: 1, tokens: 2_222 });
});

test("what others wrote in pi's format may hold no usage", async () => {
	const file = await sessionFile("e.jsonl");
	const text = await readFile(file, "utf8");
	await writeFile(file, text.replaceAll(/"usage":\{[^}]*\}[^}]*\},?/g, ""));
	const { requests, costs } = await makeReport(file, whole);
	expect(requests.length).toBeGreaterThan(12);
	expect(requests.every(({ input }) => input === 0)).toBe(true);
	expect(costs.arms.map(({ kind }) => kind)).toEqual(["session", "cwl", "compaction", "none"]);
});

test.each(shortConversations)(
	"a session recorded as $format is reported",
	async ({ format, lines, document }) => {
		const path = join(folder, `${format}.any`);
		const file = lines ?? [document];
		await writeFile(path, file.map((line) => `${JSON.stringify(line)}\n`).join(""));
		const report = await makeReport(path, whole);
		expect(report.requests).toHaveLength(2);
		expect(report.verdict).toMatch(
			/^The largest request had \d+ tokens: at a budget of 160k tokens nothing has to be evicted\.$/,
		);
	},
);

test("what a replay reads of a damaged file, and of one without a header, the report reads too", async () => {
	const file = await sessionFile("whole.jsonl");
	const whole = await makeReport(file, { isRedacted: false });
	const [header = "", ...lines] = (await readFile(file, "utf8")).trimEnd().split("\n");
	const damaged = join(folder, "damaged.jsonl");
	await writeFile(
		damaged,
		`${[header, ...lines.slice(0, 20), '{"type":"message","mess', ...lines.slice(20)].join("\n")}\n`,
	);
	const headless = join(folder, "headless.jsonl");
	await writeFile(headless, `${lines.join("\n")}\n`);
	for (const path of [damaged, headless]) {
		const report = await makeReport(path, { isRedacted: false });
		expect(report.requests).toEqual(whole.requests);
		expect(report.passes).toEqual(whole.passes);
	}
});

test("a page that cannot be written is named, and why", async () => {
	const report = await makeReport(await sessionFile("f.jsonl"), whole);
	const path = join(folder, "none", "x.html");
	await expect(writeReport(path, report, new Date(0))).rejects.toThrow(`${path} cannot be written (ENOENT).`);
});

test("a session of another agent is reported with the compactions that its file tells of", async () => {
	const entry = (uuid: number, parent: number | null, type: string, message: object, more = {}) => ({
		...{ uuid: `u${uuid}`, parentUuid: parent && `u${parent}`, sessionId: "s", type, message, ...more },
	});
	const asked = (content: string) => ({ role: "user", content });
	const said = (n: number) => ({ id: `m${n}`, role: "assistant", content: `answer ${n}` });
	const lines = [
		entry(1, null, "user", asked("look around ".repeat(500))),
		entry(2, 1, "assistant", said(1)),
		entry(3, 2, "assistant", said(2)),
		entry(4, null, "user", asked("so far"), { isCompactSummary: true, logicalParentUuid: "u3" }),
		entry(5, 4, "user", asked("go on")),
		entry(6, 5, "assistant", said(3)),
	].map((line) => JSON.stringify(line));
	const file = join(folder, "claude.jsonl");
	await writeFile(file, `${lines.join("\n")}\n`);
	const report = await makeReport(file, { ...whole, budget: { budget: 80_000, isAuto: false } });
	expect(report.requests).toHaveLength(3);
	expect(report.compactions).toMatchObject([{ request: 3 }]);
	const [first, , third] = report.requests;
	expect(third?.ledger.total).toBeLessThan((first?.ledger.total ?? 0) / 10);
	expect(report.verdict).toContain("it was compacted once");
});
