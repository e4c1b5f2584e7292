import { beforeAll, describe, expect, test } from "vitest";
import { formatTokens, sum } from "#basics";
import { createManagedSession, PASS_ENTRY, PREFIX_ENTRY, STEERING_ENTRY, UNDO_ENTRY } from "#pi/session";
import { formatSessionPage } from "../pages/session-page.ts";
import { writeLongSession } from "../test-support/long-session.ts";
import { manageSession, reportSettings as settings } from "../test-support/managed-run.ts";
import { countQuarters, inOrder, noCost, reply, says, user } from "../test-support/messages.ts";
import { chartsOf, expectBalanced, rowsOf } from "../test-support/pages.ts";
import { reportSession, type SessionReport } from "./session-report.ts";

const BUDGET = settings.budget;

let report: SessionReport;
beforeAll(() => {
	report = reportSession(manageSession(writeLongSession(40).messages, BUDGET), settings);
});

test("the verdict goes by what was sent and what it cost, not by a replay of it", () => {
	const session = manageSession(writeLongSession(40).messages, BUDGET);
	const isPass = ({ type }: { readonly type: string }) => type === "custom";
	const firstPass = session.branch.findIndex(isPass);
	// Taken back after one request, and switched off: from then on every request had the whole history.
	const undo = { type: "custom", customType: UNDO_ENTRY, data: { version: 1 } };
	const off = { type: "custom", customType: STEERING_ENTRY, data: { enabled: false } };
	const branch = session.branch.flatMap((entry, index) =>
		index === firstPass + 1 ? [entry, undo, off] : isPass(entry) && index > firstPass ? [] : [entry],
	);
	const { costs, requests, verdict } = reportSession({ ...session, branch }, settings);
	const arms = new Map(costs.arms.map((arm) => [arm.kind, arm]));
	expect(arms.get("session")?.sizes).toEqual(requests.map(({ input }) => input));
	expect(requests.map(({ ledger }) => ledger.total)).toEqual(requests.map(({ input }) => input));
	const firstOff = requests.findIndex(({ isManaged }) => !isManaged);
	expect(requests.map(({ isManaged }) => isManaged)).toEqual(requests.map((_, x) => x < firstOff));
	expect(arms.get("cwl")?.total).toBeLessThan(arms.get("none")?.total ?? 0);
	expect(verdict).toMatch(/^You took the only pass back, and /);
	const uncounted = session.messages.map((message) =>
		message.role === "assistant"
			? { ...message, usage: { ...message.usage, input: 0, cacheRead: 0 } }
			: message,
	);
	const counted = reportSession({ ...session, messages: uncounted, branch }, settings);
	const largestOf = (kind: string) => counted.costs.arms.find((arm) => arm.kind === kind)?.largest;
	expect(largestOf("session")).toBe(largestOf("none"));
	expect(counted.verdict).toMatch(
		/^You took the only pass back, and the largest request had \d+k tokens, while cwl was off \(`\/cwl off`\)\. /,
	);
	expect(counted.verdict).toMatch(
		/ The session cost \$[\d.]+ at the prices of a\/b: (\d+ % more than|about as much as) pi's own compaction at [\d.]+k? and (\d+ % more than|about as much as) no eviction\.$/,
	);
});

test("the parts of each pass add up to what it freed, also of what had been reduced before, and of a pass that was taken back", () => {
	const { messages, branch } = manageSession(writeLongSession(6).messages, 1e6);
	const { episodes, resultOf } = createManagedSession(countQuarters).inspect(messages).graph;
	const first = episodes[0];
	const episode = first?.id;
	const calls = first?.items.filter(({ type }) => type === "call") ?? [];
	const items = calls.map(({ id }) => id);
	const tokens = sum(items, (id) => resultOf.get(id)?.tokens ?? 0);
	const entry = (parts: object, freed: number) => {
		const sizes = { budget: 1e6, before: 9_000, after: 9_000 - freed };
		const data = { version: 1, policy: "cwl", ...sizes, strips: [], blockers: [], ...parts };
		return { type: "custom", id: "pass", customType: PASS_ENTRY, data };
	};
	const reduce = entry({ reductions: [{ episode, item: items[0], form: 1, tokens: 60 }] }, 60);
	const take = entry({ strips: [{ episode, level: 2, items, tokens }] }, tokens - 60);
	const undo = { type: "custom", id: "undo", customType: UNDO_ENTRY, data: { version: 1 } };
	const { passes } = reportSession(
		{ id: "s", cwd: "/w", messages, branch: [...branch, reduce, take, undo, take] },
		settings,
	);
	expect(passes.map(({ isUndone }) => isUndone)).toEqual([false, true, false]);
	for (const { before, after, strips, reductions, lines } of passes) {
		expect(lines + sum([...strips, ...reductions], (part) => part.tokens)).toBe(before - after);
	}
});

test("thinking that left because older text changed is no pass: neither a row nor part of what was evicted", () => {
	const session = manageSession(writeLongSession(40).messages, BUDGET);
	const sizes = { budget: BUDGET, before: 3_000, after: 2_900 };
	const change = { version: 1, policy: "prefix changed", ...sizes, strips: [], blockers: [] };
	const data = { version: 1, isOn: true, head: "b", compaction: 0, change };
	const begins = { type: "custom", customType: PREFIX_ENTRY, data };
	const branch = session.branch.flatMap((entry) => (entry.type === "custom" ? [begins, entry] : [entry]));
	const { passes, requests, verdict } = reportSession({ ...session, branch }, settings);
	expect(report.passes.length).toBeGreaterThan(1);
	expect(passes.map(({ number, before, after, request }) => ({ number, before, after, request }))).toEqual(
		report.passes.map(({ number, before, after, request }) => ({ number, before, after, request })),
	);
	expect(requests.map((request) => request.passes)).toEqual(report.requests.map((request) => request.passes));
	expect(verdict).toBe(report.verdict);
});

test("thinking that left because older text changed is counted as thinking is, whatever the request of its time shrank by", () => {
	const session = manageSession(writeLongSession(2).messages, BUDGET);
	const { reasoning, tokens } = createManagedSession(countQuarters).inspect(session.messages).graph;
	const [first] = reasoning;
	const lost = first?.tokens ?? 0;
	const change = {
		...{ version: 1, policy: "prefix changed", blockers: [], forfeited: lost },
		...{ budget: BUDGET, before: tokens, after: tokens - lost },
		reported: { budget: BUDGET, before: tokens, after: tokens - 1 },
		strips: [{ episode: "e", level: 1, items: [first?.id], tokens: lost }],
	};
	const data = { version: 1, isOn: true, head: "b", compaction: 0, change };
	const branch = [...session.branch, { type: "custom", id: "p", customType: PREFIX_ENTRY, data }];
	const { thinking } = reportSession({ ...session, branch }, settings).health;
	expect(thinking).toEqual({ isOwn: true, all: 2 * lost, readable: lost, evicted: 0, forfeited: lost });
});

test("the verdict compares the largest request with the budget that it was made under, where passes say which that was", () => {
	const session = manageSession(writeLongSession(40).messages, BUDGET);
	/** The largest request comes between two passes. */
	const middle = session.messages.findIndex(({ role }, at) => role === "assistant" && at > 200);
	const messages = session.messages.map((message, index) =>
		index === middle && message.role === "assistant"
			? { ...message, usage: { ...message.usage, input: BUDGET + 100, cacheRead: 0 } }
			: message,
	);
	const madeUnder = (budgetOf: (index: number) => number) => {
		const branch = session.branch.map((entry, index) =>
			entry.type === "custom"
				? { ...entry, data: { ...Object(entry.data), budget: budgetOf(index) } }
				: entry,
		);
		return reportSession({ ...session, messages, branch }, { ...settings, budget: BUDGET / 2 });
	};
	const same = madeUnder(() => BUDGET);
	expect(same.verdict).toMatch(/ and the largest request had 4\.1k, \d+ above the budget of 4k tokens\. /);
	expect(formatSessionPage(same, "now")).toContain("budget at the end: 2k");
	const changed = madeUnder((index) => BUDGET + 100 * index);
	expect(changed.verdict).toMatch(/ and the largest request had 4\.1k tokens\. /);
	expect(formatSessionPage(report, "now")).toContain("budget: 4k");
});

test("the health is that of the next request: a switch after the last request is in force", () => {
	const session = manageSession(writeLongSession(40).messages, BUDGET);
	const enabled = (isOn: boolean) => ({
		type: "custom",
		customType: STEERING_ENTRY,
		data: { enabled: isOn },
	});
	const lastAnswer = session.branch.findLastIndex(({ message }) => message !== undefined);
	const sentOff = session.branch.toSpliced(lastAnswer, 0, enabled(false));
	const shareOf = (branch: typeof session.branch) =>
		reportSession({ ...session, branch }, settings).health.evicted.share;
	const share = shareOf(session.branch);
	expect(share).toBeGreaterThan(0.5);
	expect(shareOf(sentOff)).toBeLessThan(0.1);
	expect(shareOf([...sentOff, enabled(true)])).toBe(share);
	expect(shareOf([...session.branch, enabled(false)])).toBeLessThan(0.1);
});

test("a pass took no more than was there, whatever its time took our count times", () => {
	const session = manageSession(writeLongSession(40).messages, BUDGET);
	const branch = session.branch.map((entry) => {
		if (entry.type !== "custom") return entry;
		const { budget, before, after } = Object(entry.data);
		return {
			...entry,
			data: { ...Object(entry.data), reported: { budget, before: 2 * before, after: 2 * after } },
		};
	});
	const { requests } = reportSession({ ...session, branch }, settings);
	expect(requests.some(({ passes }) => passes > 0)).toBe(true);
	for (const { ledger } of requests) expect(Math.min(...Object.values(ledger))).toBeGreaterThanOrEqual(0);
});

describe("every size in the verdict has one unit", () => {
	const { messages } = writeLongSession(40);
	const verdictWith = (reportedOf: (size: number, index: number) => number) => {
		const usage = { output: 10, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: noCost };
		const seen = messages.map((message, index) => {
			if (message.role !== "assistant") return message;
			const size = countQuarters(JSON.stringify(messages.slice(0, index)));
			return { ...message, usage: { ...usage, input: reportedOf(size, index) } };
		});
		const session = reportSession({ id: "c", cwd: "/w", branch: [], messages: seen }, settings);
		const sentences = session.verdict.split(/(?<=\.) (?=[A-Z])/);
		return { ...session, sentences, page: formatSessionPage(session, "now") };
	};

	const unitsOf = (page: string) =>
		chartsOf(page)
			.slice(0, 2)
			.map(({ y }) => y.title);

	test("the provider's, where its usage explains the session", () => {
		const { sentences, scale, requests, page } = verdictWith((size) => 3 * size);
		expect(scale?.factor).toBeGreaterThan(2);
		const peak = formatTokens(Math.max(...requests.map(({ input }) => input)));
		expect(sentences[0]).toContain(`largest request had ${peak}`);
		expect(page).toContain("Sizes are the provider's tokens");
		// The chart of the context, its budget and the chart of the cache have one unit.
		expect(unitsOf(page)).toEqual(["input tokens", "input tokens"]);
	});

	test("ours, where usage does not explain it, which a sentence of its own says", () => {
		const { sentences, scale, requests, page } = verdictWith((_, index) =>
			index < messages.length / 2 ? 2_000 : 90_000,
		);
		expect(scale).toBeNull();
		const peak = formatTokens(Math.max(...requests.map(({ ledger }) => ledger.total)));
		expect(sentences[0]).toContain(`largest request had ${peak}`);
		expect(sentences.filter((sentence) => sentence.includes("90k"))).toEqual([
			"The provider counted up to 90k, which the messages in the file do not explain: every other size is counted with o200k.",
		]);
		expect(page).toContain("Sizes are counted with the o200k tokenizer");
		expect(unitsOf(page)).toEqual([
			"input tokens, counted with o200k",
			"input tokens, as the provider counted",
		]);
	});
});

test("a pass belongs to the request that followed it, and a request before a compaction holds no pass that came after", () => {
	const session = manageSession(writeLongSession(40).messages, BUDGET);
	const position = session.messages.findIndex(
		({ role }, at) => role === "user" && at > session.messages.length / 2,
	);
	const compactions = [{ position, firstKept: position - 2, summary: "what was done" }];
	const plain = reportSession(session, settings);
	const compacted = reportSession({ ...session, compactions }, settings);
	let answers = 0;
	const expected = session.branch.flatMap(({ type, message }) => {
		if (type === "custom") return [answers + 1];
		if (Object(message).role === "assistant") answers += 1;
		return [];
	});
	const first = compacted.compactions[0]?.request ?? 0;
	expect(first).toBeGreaterThan(expected[0] ?? 0);
	expect(first).toBeLessThan(expected.at(-1) ?? 0);
	expect(compacted.passes.map(({ request }) => request)).toEqual(expected);
	const before = ({ requests }: SessionReport) => requests.slice(0, first - 1).map(({ ledger }) => ledger);
	expect(before(compacted)).toEqual(before(plain));
});

test("a session without usage, and one without an answer, are told as far as they go", () => {
	const bare = { id: "b", cwd: "/w", branch: [], messages: inOrder(user("go"), reply(says("done"))) };
	expect(reportSession(bare, settings)).toMatchObject({
		passes: [],
		verdict: expect.stringContaining("nothing has to be evicted"),
		model: "anthropic/test",
	});
	const empty = reportSession({ ...bare, messages: inOrder(user("go")) }, settings);
	expect(empty).toMatchObject({ requests: [], model: null });
	expect(formatSessionPage(empty, "now")).toContain("No request has been answered yet.");
});

test("the page holds every chart and table, asks for nothing from outside, and no name can break it", () => {
	const [first] = report.episodes;
	if (!first) throw new Error("no episode");
	const named = { ...first, name: "<script>alert(1)</script>" };
	const act = { ...first, kind: "act" as const, dependencies: [named.name] };
	const page = formatSessionPage({ ...report, folder: "a & b", episodes: [named, act] }, "now");
	expectBalanced(page);
	expect(chartsOf(page)).toHaveLength(3);
	expect(page.match(/<h2>/g)?.length).toBeGreaterThanOrEqual(6);
	expect(page).not.toContain("<script>alert");
	expect(page).toContain("a &amp; b");
	const [context] = chartsOf(page);
	expect(context?.marks).toHaveLength(report.passes.length);
	expect(rowsOf(page, "what it holds")[1]?.at(-1)).toMatch(/^builds on <script>alert\(1\)<\/script>/);
});
