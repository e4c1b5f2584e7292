/** The costs of a session and of what it is compared with have one basis. */

import { expect, test } from "vitest";
import { sum } from "#basics";
import { writeLongSession } from "../test-support/long-session.ts";
import { manageSession, reportSettings as settings } from "../test-support/managed-run.ts";
import { noCost } from "../test-support/messages.ts";
import { reportSession } from "./session-report.ts";

const prices = settings.pricesOf();
interface Usage {
	readonly input: number;
	readonly cacheRead: number;
	readonly cacheWrite: number;
	readonly output: number;
}

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

test("a replay that sends the same costs the same, also where the provider had not written the end of a request", () => {
	const unwritten = seen.map((message, index) => {
		if (message.role !== "assistant") return message;
		const answers = seen.slice(0, index).filter(({ role }) => role === "assistant").length;
		const { cacheRead, cacheWrite } = message.usage;
		if (answers === 20)
			return { ...message, usage: { ...message.usage, input: cacheWrite - 1, cacheWrite: 1 } };
		const previous = usages[answers - 1];
		if (answers !== 21 || !previous) return message;
		const held = previous.cacheRead + 1;
		return {
			...message,
			usage: { ...message.usage, cacheRead: held, cacheWrite: cacheWrite + cacheRead - held },
		};
	});
	const arms = armsOf({ ...whole, branch: [], messages: unwritten });
	const costs = (kind: string) => arms.get(kind as "none")?.cumulative.slice(18, 24) ?? [];
	expect(costs("none")).toEqual(costs("session").map((cost) => expect.closeTo(cost, 6)));
});

test("where the session read what another branch had written, each arm reads what it had sent", () => {
	const switched = seen.findIndex(({ role }, index) => role === "assistant" && index > seen.length / 2);
	const request = seen.slice(0, switched).filter(({ role }) => role === "assistant").length;
	const later = (isRead: boolean) =>
		seen.map((message, index) => {
			if (message.role !== "assistant" || index < switched) return message;
			const { cacheRead, cacheWrite } = message.usage;
			const cold = { ...message.usage, cacheRead: 0, cacheWrite: cacheRead + cacheWrite };
			return { ...message, model: "other", usage: isRead || index > switched ? message.usage : cold };
		});
	const costsAt = (isRead: boolean) => {
		const arms = armsOf({ ...whole, branch: [], messages: later(isRead) });
		return new Map(
			[...arms].map(([kind, { cumulative }]) => {
				return [kind, (cumulative[request] ?? 0) - (cumulative[request - 1] ?? 0)] as const;
			}),
		);
	};
	const warm = costsAt(true);
	const cold = costsAt(false);
	expect(warm.get("none")).toBeCloseTo(warm.get("session") ?? 0, 0);
	for (const kind of ["cwl", "compaction", "none"] as const)
		expect(warm.get(kind), kind).toBeLessThan(0.5 * (cold.get(kind) ?? 0));
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
				{
					usage: { ...usage, totalTokens: 0, cost: noCost },
					by: undefined,
					isElsewhere: false,
					entry: { type: "usage" },
				},
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
	expect(counted?.summaries.tokens).toBeGreaterThan(0.5 * (usages.at(-2)?.cacheRead ?? 0));
	const usage = { input: 7, cacheRead: 5, cacheWrite: 900, output: 3 };
	const recorded = armsOf({ ...compacted, branch: [{ type: "compaction", ...{ usage } }] }).get("session");
	expect(recorded?.summaries.cost).toBeCloseTo(priceOf(usage), 6);
	expect(recorded?.summaries.tokens).toBe(912);
	expect(recorded?.total).toBeCloseTo(sent + priceOf(usage), 6);
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
