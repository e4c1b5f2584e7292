import { beforeAll, describe, expect, test } from "vitest";
import { formatTokens, sum } from "#basics";
import { STEERING_ENTRY, UNDO_ENTRY } from "#pi/session";
import { formatSessionPage } from "../pages/session-page.ts";
import { writeLongSession } from "../test-support/long-session.ts";
import { manageSession, reportSettings as settings } from "../test-support/managed-run.ts";
import { countQuarters, inOrder, reply, says, user } from "../test-support/messages.ts";
import { chartsOf, expectBalanced, rowsOf } from "../test-support/pages.ts";
import { reportSession, type SessionReport } from "./session-report.ts";

const BUDGET = settings.budget;
const prices = settings.pricesOf();
interface Usage {
	readonly input: number;
	readonly cacheRead: number;
	readonly cacheWrite: number;
	readonly output: number;
}
const noCost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };

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
	expect(same.verdict).toMatch(/ and the largest request had 4\.1k, above the budget of 4k tokens\. /);
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

describe("the costs have one basis", () => {
	const { messages } = writeLongSession(8);
	const priceOf = ({ input, cacheRead, cacheWrite, output }: Usage) =>
		prices.input * input + prices.read * cacheRead + prices.write * cacheWrite + prices.output * output;
	const armsOf = (session: Parameters<typeof reportSession>[0]) =>
		new Map(reportSession(session, settings).costs.arms.map((arm) => [arm.kind, arm]));
	/** A session in which nothing was evicted; its provider had lost the cache before one request. */
	const whole = manageSession(messages, 1_000_000);
	const usages: Usage[] = [];
	const seen = whole.messages.map((message) => {
		if (message.role !== "assistant") return message;
		const { input, cacheRead } = message.usage;
		const size = input + cacheRead;
		const last = usages.at(-1);
		const kept = last && usages.length !== 12 ? last.input + last.cacheRead + last.cacheWrite : 0;
		const usage = { ...message.usage, input: 0, cacheRead: kept, cacheWrite: size - kept };
		usages.push(usage);
		return { ...message, usage };
	});

	test("a replay that sends the same costs the same, also where the provider had lost its cache", () => {
		const arms = armsOf({ ...whole, branch: [], messages: seen });
		expect(arms.get("session")?.total).toBeCloseTo(sum(usages.map(priceOf)), 6);
		expect(arms.get("none")?.sizes).toEqual(arms.get("session")?.sizes);
		expect(arms.get("none")?.total).toBeCloseTo(arms.get("session")?.total ?? 0, 6);
	});

	test("each answer costs what was charged for it, else by the prices of its own model, in every arm", () => {
		const half = seen.length / 2;
		const first = seen.findIndex(({ role }, index) => role === "assistant" && index >= half);
		/** Each model has a cache of its own. */
		const cold = seen.map((message, index) => {
			if (message.role !== "assistant" || index !== first) return message;
			const { cacheRead, cacheWrite } = message.usage;
			return { ...message, usage: { ...message.usage, cacheRead: 0, cacheWrite: cacheRead + cacheWrite } };
		});
		/** The second half was answered by a model of five times the prices, and charged at a half of them. */
		const switched = cold.map((message, index) => {
			if (message.role !== "assistant" || index < half) return message;
			const total = 2.5 * priceOf(message.usage);
			return { ...message, model: "large", usage: { ...message.usage, cost: { ...noCost, total } } };
		});
		const large = { ...prices, input: 5, output: 25, read: 0.5, write: 6.25 };
		const pricesOf = (answer?: { readonly model: string }) => (answer?.model === "large" ? large : prices);
		const went = (until: number) =>
			sum(
				cold.slice(0, until).map((message, index) => {
					return message.role === "assistant" ? (index < half ? 1 : 2.5) * priceOf(message.usage) : 0;
				}),
			);
		const session = { ...whole, branch: [], messages: switched };
		const { arms } = reportSession(session, { ...settings, pricesOf }).costs;
		for (const kind of ["session", "none"])
			expect(arms.find((arm) => arm.kind === kind)?.total).toBeCloseTo(went(seen.length), 6);
		// What was spent before the switch stays what it was.
		const before = reportSession({ ...session, messages: switched.slice(0, half) }, settings).costs.arms;
		for (const { kind, cumulative } of before) {
			const later = arms.find((arm) => arm.kind === kind)?.cumulative[cumulative.length - 1];
			expect(later).toBeCloseTo(cumulative.at(-1) ?? 0, 0);
		}
	});

	test("what the provider counts beyond the messages of the file adds the same to the requests of every arm", () => {
		const evicted = manageSession(writeLongSession(60).messages, 8_000);
		const half = evicted.messages.length / 2;
		const counted = evicted.messages.map((message, index) => {
			if (message.role !== "assistant" || index < half) return message;
			return { ...message, usage: { ...message.usage, input: message.usage.input + 500 } };
		});
		const noneOf = (session: typeof evicted) => armsOf(session).get("none")?.sizes.at(-1) ?? 0;
		const added = noneOf({ ...evicted, messages: counted }) - noneOf(evicted);
		expect(Math.abs(added - 500)).toBeLessThan(0.02 * noneOf(evicted));
	});

	test("calls outside of the branch are in every arm, and change no difference", () => {
		const [usage] = usages;
		const session = { ...whole, branch: [], messages: seen };
		const arms = armsOf(session);
		const all =
			usage &&
			armsOf({
				...session,
				otherCalls: [
					{ usage: { ...usage, totalTokens: 0, cost: noCost }, by: undefined, isElsewhere: false },
				],
			});
		const price = usage ? priceOf(usage) : 0;
		expect(price).toBeGreaterThan(0);
		for (const [kind, { total, cumulative }] of arms) {
			expect(all?.get(kind)?.total).toBeCloseTo(total + price, 6);
			expect(all?.get(kind)?.cumulative.at(-1)).toBeCloseTo((cumulative.at(-1) ?? 0) + price, 6);
		}
	});

	test("the calls of a compaction are in it: as the file has their usage, and counted where it has none", () => {
		const position = seen.findLastIndex(({ role }) => role === "user");
		const compactions = [{ position, firstKept: position, summary: "what was done" }];
		const compacted = { ...whole, branch: [], messages: seen, compactions };
		const counted = armsOf(compacted).get("session");
		expect(counted?.summaries.count).toBe(1);
		const sent = sum(usages.map(priceOf));
		expect(counted?.total).toBeCloseTo(sent + (counted?.summaries.cost ?? 0), 6);
		// The whole history in front of the cut is read by the call, none of it from the cache.
		expect(counted?.summaries.cost).toBeGreaterThan(0.5 * prices.write * (usages.at(-2)?.cacheRead ?? 0));
		const usage = { input: 7, cacheRead: 5, cacheWrite: 900, output: 3 };
		const recorded = armsOf({ ...compacted, branch: [{ type: "compaction", ...{ usage } }] }).get("session");
		expect(recorded?.summaries.cost).toBeCloseTo(priceOf(usage), 6);
		expect(recorded?.total).toBeCloseTo(sent + priceOf(usage), 6);
	});
});

test("a compaction that was left by going back on the session's tree costs what it did, whatever came after it", () => {
	const { branch, messages, ...session } = manageSession(writeLongSession(8).messages, 1_000_000);
	const position = messages.findLastIndex(({ role }) => role === "user");
	const compactions = [{ position, firstKept: position, summary: "what was done" }];
	const entry = { type: "compaction", id: "c", ...{ summary: "what was done" } };
	const entries = branch.toSpliced(
		branch.findIndex(({ message }) => message === messages[position]),
		0,
		entry,
	);
	const costOf = (old: Parameters<typeof reportSession>[0]) => {
		const [arm] = reportSession(old, settings).costs.arms;
		return arm?.total ?? 0;
	};
	const left = {
		...session,
		branch: entries.slice(0, entries.indexOf(entry) + 1),
		messages: messages.slice(0, position),
		compactions,
	};
	const open = { ...session, branch: entries, messages, compactions };
	const opened = reportSession(open, settings).costs.arms[0]?.summaries.cost ?? 0;
	expect(opened).toBeGreaterThan(0);
	// Another branch is open, on which an answer of another size has moved the scale.
	const back = { ...session, branch: branch.slice(0, 9), messages: messages.slice(0, 9) };
	const { costs } = reportSession({ ...back, compactedBranches: [left] }, settings);
	expect(costs.otherCalls).toMatchObject({ count: 1, cost: opened });
	expect(costs.arms[0]?.total).toBeCloseTo(costOf(back) + opened, 6);
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

test("a session whose requests shrank although its file tells of no compaction was compacted", () => {
	const { messages } = writeLongSession(40);
	const turns = messages.flatMap((message, index) => (message.role === "assistant" ? [index] : []));
	// The provider saw half of the history leave before one request, and the rest grow on from there.
	const sizeAt = (index: number) => countQuarters(JSON.stringify(messages.slice(0, index)));
	const [cut = 0] = turns.slice(-20);
	const usage = { output: 10, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: noCost };
	const seen = messages.map((message, index) =>
		message.role === "assistant"
			? {
					...message,
					usage: { ...usage, input: 100 + sizeAt(index) - (index >= cut ? 0.8 * sizeAt(cut) : 0) },
				}
			: message,
	);
	const { compactions, requests, verdict, costs } = reportSession(
		{ id: "c", cwd: "/w", branch: [], messages: seen },
		settings,
	);
	expect(compactions).toMatchObject([{ request: turns.length - 19 }]);
	expect(verdict).toContain("it was compacted once");
	expect(verdict).not.toContain("without compaction");
	// What is taken to have stayed explains what the provider counted, so that no component has to be stretched.
	const systems = requests.map(({ ledger }) => ledger.system);
	expect(Math.min(...systems.slice(-20))).toBeGreaterThan(0.8 * Math.max(...systems));
	expect(costs.arms.find(({ kind }) => kind === "session")?.largest).toBeLessThan(
		costs.arms.find(({ kind }) => kind === "none")?.largest ?? 0,
	);
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

describe("a session that was compacted, by its host or by a command of the user", () => {
	const { messages } = writeLongSession(40);
	const position = messages.findLastIndex(({ role }) => role === "user");
	const compactions = [{ position, firstKept: position - 2, summary: "what was done" }];
	const compacted = { id: "c", cwd: "/w", branch: [], messages, compactions };

	test("shows what was sent, and what cwl would have sent", () => {
		const { requests, compactions: rows, passes, costs } = reportSession(compacted, settings);
		const [row] = rows;
		// Requests have numbers from 1, as on the page.
		const first = (row?.request ?? 0) - 1;
		expect(passes).toEqual([]);
		expect(requests).toHaveLength(4 * 40);
		expect(requests[first - 1]?.ledger.total).toBe(row?.before);
		expect(requests[first]?.ledger.total).toBe(row?.after);
		expect(row?.after).toBeLessThan((row?.before ?? 0) / 10);
		const sent = costs.arms.find(({ kind }) => kind === "session");
		expect(sent?.sizes[first - 1]).toBe(row?.before);
		const none = costs.arms.find(({ kind }) => kind === "none");
		// So late in the session the summary costs more than it saves.
		const { cost = 0, count } = sent?.summaries ?? {};
		expect(count).toBe(2);
		expect(cost).toBeGreaterThan(0);
		expect((sent?.total ?? 0) - cost).toBeLessThan(none?.total ?? 0);
	});

	test("is told as such, and never as one that stayed under its budget", () => {
		const made = reportSession(compacted, settings);
		expect(made.verdict).toMatch(/^cwl made no pass in this session: it was compacted once/);
		const page = formatSessionPage(made, "now");
		expect(page).toContain("it was compacted once");
		expect(page).not.toContain("another program");
		expect(page).toContain("No pass was made.");
	});

	test("has health figures of what is sent now, and says which episodes the summary replaced", () => {
		const { health, episodes, requests } = reportSession(compacted, settings);
		expect(health.utilisation).toBeLessThan(2 * ((requests.at(-1)?.ledger.total ?? 0) / BUDGET));
		expect(episodes.some(({ isCompacted }) => isCompacted)).toBe(true);
		expect(episodes.at(-1)?.isCompacted).toBe(false);
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
	const act = { ...first, id: "act", kind: "act" as const, dependencies: [first.id] };
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
