/**
 * Every statement of a session's report against the session itself: what is expected is computed here from the messages,
 * their usage and the entries of the file, and not from the report.
 */

import { beforeAll, describe, expect, test } from "vitest";
import { formatTokens, sum } from "#basics";
import { type Pass, passReasons } from "#core/log";
import { MANUAL_PASS } from "#core/planning";
import { type OldSession, PASS_ENTRY, UNDO_ENTRY } from "#pi/session";
import { createSizes } from "../recording/recording.ts";
import { formatCost } from "../session-report/costs.ts";
import { reportSession, type SessionReport } from "../session-report/session-report.ts";
import { writeLongSession } from "../test-support/long-session.ts";
import { manageSession, reportSettings as settings } from "../test-support/managed-run.ts";
import { countQuarters } from "../test-support/messages.ts";
import { chartsOf, rowsOf, textOf } from "../test-support/pages.ts";
import { formatSessionPage } from "./session-page.ts";

const { budget: BUDGET } = settings;
const prices = settings.pricesOf();

/** The entry of a pass as one that was made by command. */
const manualLike = (made: OldSession["branch"][number] | undefined, before: number) => ({
	...{ ...made, type: "custom", data: { ...Object(made?.data), policy: MANUAL_PASS, before } },
});
const undo = { type: "custom", customType: UNDO_ENTRY, data: { version: 1 }, id: "undo" };

const sizes = createSizes(countQuarters);

let old: OldSession;
let passes: readonly Pass[];
let usage: readonly { readonly input: number; readonly cached: number; readonly output: number }[];
let report: SessionReport;
let page: string;

/** 24 tasks. The first pass was made by command and taken back at once. */
beforeAll(() => {
	const long = writeLongSession(24).messages;
	const managed = manageSession(long, BUDGET);
	const first = managed.branch.findIndex(({ customType }) => customType === PASS_ENTRY);
	const made = managed.branch[first];
	old = { ...managed, branch: managed.branch.toSpliced(first, 0, manualLike(made, 4_001), undo) };
	passes = old.branch.flatMap(({ customType, data }) => (customType === PASS_ENTRY ? [data as Pass] : []));
	usage = old.messages.flatMap((message) => {
		if (message.role !== "assistant") return [];
		const { input, cacheRead, cacheWrite, output } = message.usage;
		return [{ input: input + cacheRead + cacheWrite, cached: cacheRead, output }];
	});
	report = reportSession(old, settings);
	page = formatSessionPage(report, "now");
});

const held = () => passes.slice(1);

test("the verdict of a session whose passes were all taken back says so", () => {
	const branch = [...old.branch, ...held().map(() => undo)];
	expect(reportSession({ ...old, branch }, settings).verdict).toMatch(
		new RegExp(`^You took all ${passes.length} passes back, and the largest request had `),
	);
});

test("a pass and an undo that no answer has followed yet are in the report", () => {
	const last = old.branch.findLast(({ customType }) => customType === PASS_ENTRY);
	const after = (...more: OldSession["branch"]) =>
		reportSession({ ...old, branch: [...old.branch, ...more] }, settings).passes.at(-1);
	expect(after(manualLike(last, 4_002))).toMatchObject({
		number: passes.length + 1,
		isManual: true,
		isUndone: false,
		request: null,
	});
	expect(after(undo)).toMatchObject({ number: passes.length, isUndone: true });
});

test("the sizes of a pass that were estimates when it was made are marked, as in the panel", () => {
	const { branch } = old;
	const at = branch.findLastIndex(({ customType }) => customType === PASS_ENTRY);
	const made = branch[at];
	const reported = { before: 8_000, after: 3_000, budget: BUDGET };
	const estimated = { ...made, type: "custom", data: { ...Object(made?.data), reported, isEstimated: true } };
	const changed = reportSession({ ...old, branch: branch.with(at, estimated) }, settings);
	expect(changed.passes.map(({ isKnown }) => isKnown)).toEqual(
		passes.map((_, index) => index < passes.length - 1),
	);
	const rows = rowsOf(formatSessionPage(changed, "now"), "what went");
	expect(rows.map((row) => row[3]?.startsWith("~"))).toEqual(changed.passes.map(({ isKnown }) => !isKnown));
});

/** Tokens that each request sent again. New is the previous answer and what came after it; the first request has nothing else. */
function sentAgain(): readonly number[] {
	const added = old.messages.reduce<number[]>(
		(sums, message) => {
			if (message.role === "assistant") sums.push(0);
			sums.push((sums.pop() ?? 0) + sizes(message).reduce((a, b) => a + b, 0));
			return sums;
		},
		[0],
	);
	return usage.map(({ input, cached }, x) => (x === 0 ? 0 : Math.max(0, input - cached - (added[x] ?? 0))));
}

describe("the charts", () => {
	test("the layers of each request add up to what the provider counted, with a line at each pass", () => {
		const [context] = chartsOf(page);
		const layers = context?.sets.filter(({ style }) => style === "area") ?? [];
		const sums = usage.map((_, x) => sum(layers.map(({ data }) => Number(data[x]))));
		expect(sums).toEqual(usage.map(({ input }) => input));
		const texts = passes.map(
			({ before, after }, index) =>
				`pass ${index + 1}: ${formatTokens(before)} to ${formatTokens(after)} tokens`,
		);
		// The one that was taken back at once holds for no request, so it has no line.
		expect(context?.marks?.map(({ text }) => text)).toEqual(texts.slice(1));
		for (const { x } of context?.marks ?? []) expect(usage[x]?.cached).toBe(0);
	});

	test("the cache: only what an earlier request had sent counts as sent again; the requests that broke it", () => {
		const [, cache] = chartsOf(page);
		const [read, fresh, again] = cache?.sets ?? [];
		expect(read?.data).toEqual(usage.map(({ cached }) => cached));
		const rest = usage.map(({ input, cached }) => input - cached);
		const expected = sentAgain();
		expect(again?.data).toEqual(expected);
		expect(fresh?.data).toEqual(rest.map((left, x) => left - (expected[x] ?? 0)));
		expect(sum(expected)).toBeGreaterThan(0);
		const breaks = usage.flatMap(({ cached }, x) => {
			const before = usage[x - 1]?.input ?? 0;
			return before >= 2_048 && cached < before / 2 ? [x] : [];
		});
		expect(cache?.marks?.map(({ x }) => x)).toEqual(breaks);
		expect(textOf(page)).toContain(`${breaks.length} requests (dotted) read less than half`);
	});

	test("the costs: the reported one from the usage, and each row of the table the end of its line", () => {
		const [, , costs] = chartsOf(page);
		const { read, input, output } = prices;
		// The usage of the fixture reports no cache write.
		const reported = usage.map(
			(each) => read * each.cached + input * (each.input - each.cached) + output * each.output,
		);
		const [first] = costs?.sets ?? [];
		expect(Number(first?.data.at(-1))).toBeCloseTo(sum(reported));
		const rows = rowsOf(page, "largest request");
		expect(rows.map(([name, cost]) => [name, cost])).toEqual(
			costs?.sets.map(({ name, data }) => [name, formatCost(Number(data.at(-1)))]),
		);
		// What compaction asked for is counted in model calls.
		expect(rows.map((row) => row.at(-1)).join()).toMatch(/\d+ calls? for about \$/);
		// The verdict compares what the table compares.
		const [own = [], ...others] = rows;
		expect(report.verdict).toContain(`The session cost ${own[1]} at`);
		const at = formatTokens(report.budget);
		for (const kind of [`pi's compaction at ${at}`, "no eviction"]) {
			const row = others.find(([name]) => name === `replay: ${kind}`);
			expect(report.verdict).toContain(`${row?.[2]} than ${kind.replace("pi's", "pi's own")}`);
		}
		expect(rows[0]?.[3]).toBe(formatTokens(Math.max(...usage.map(({ input }) => input))));
	});
});

test("the table of episodes: less than all of it is sent of those that a pass touched", () => {
	const rows = rowsOf(page, "what it holds");
	const lost = rows.filter(([, , , tokens, left]) => tokens !== left);
	const inForce = report.passes.filter(({ isUndone }) => !isUndone);
	const touched = new Set(inForce.flatMap((pass) => pass.strips.map(({ episode }) => episode)));
	expect(rows.length).toBe(report.episodes.length);
	expect(lost.length).toBe(report.episodes.filter(({ name }) => touched.has(name)).length);
});

test("the table of health: the figures that hold when a session has ended, so not how fast its last requests grew", () => {
	expect(textOf(page)).toMatch(/\butilisation\b.*\bcompression\b.*\btool results\b/s);
	expect(textOf(page)).not.toContain("burn rate");
});

test("the table of passes: sizes, the request, and tokens that were rewritten", () => {
	// `regret` is the word for what had not paid for itself, in the table of health.
	expect(textOf(page)).toMatch(/rewritten\s+read again\s+what went/);
	const rows = rowsOf(page, "what went");
	expect(rows.map((row) => row.slice(0, 6))).toEqual(
		passes.map(({ before, after, decision, policy }, index) => {
			const request = index === 0 ? "-" : String(requestAfter(index) + 1);
			const why = index === 0 ? "by hand; undone" : `${policy}, ${decision?.reason}`;
			// The provider reported what it wrote for the request of the pass, which is more than the pass had expected.
			const again = sentAgain()[requestAfter(index)] ?? 0;
			// No answer followed the pass that was taken back at once.
			const rewritten = index === 0 ? "-" : formatTokens(again);
			return [String(index + 1), request, why, formatTokens(before), formatTokens(after), rewritten];
		}),
	);
});

test.each(passReasons)("the cause %s has the same text as in JSON", (reason) => {
	const passes = report.passes
		.slice(-1)
		.map((pass) => ({ ...pass, decision: pass.decision && { ...pass.decision, reason } }));
	const [row = []] = rowsOf(formatSessionPage({ ...report, passes }, "now"), "what went");
	expect(row[2]).toBe(`cwl, ${reason}`);
});

/** The answer that follows a pass in the file. */
function requestAfter(index: number): number {
	let answers = 0;
	let seen = 0;
	for (const { customType, message } of old.branch) {
		if (customType === PASS_ENTRY && seen++ === index) return answers;
		if (Object(message).role === "assistant") answers += 1;
	}
	return -1;
}
