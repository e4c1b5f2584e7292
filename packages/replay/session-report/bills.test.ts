import fc from "fast-check";
import { expect, test } from "vitest";
import { sum } from "#basics";
import { requestCost } from "#core/prices";
import { type HostMessage, isAnswer } from "#pi/codec";
import { type OldSession, UNDO_ENTRY } from "#pi/session";
import { isSameMessage } from "../metrics/prefix.ts";
import { createSizes } from "../recording/recording.ts";
import { listSent } from "../recording/sent-requests.ts";
import { writeLongSession } from "../test-support/long-session.ts";
import { manageSession, reportSettings } from "../test-support/managed-run.ts";
import { countQuarters } from "../test-support/messages.ts";
import { reportSession } from "./session-report.ts";

const managed = manageSession(writeLongSession(40).messages, 4_000);
const OVERHEAD = 80;
const listed = reportSettings.pricesOf();
/** A provider reads from its cache what an earlier request wrote up to its end. */
const prices = { ...listed, hits: ({ endedTokens = 0 }) => endedTokens };
const settings = { ...reportSettings, pricesOf: () => prices };

/** The events that requests of a session meet at its provider, by their numbers from 0. */
interface Fate {
	readonly isUnwritten?: (request: number) => boolean;
	readonly isLost?: (request: number) => boolean;
	readonly modelOf?: (request: number) => string;
	/** The provider's tokens for one of ours. */
	readonly factor?: number;
}

const sizes = createSizes(countQuarters);
const tokensOf = (messages: readonly HostMessage[]) => OVERHEAD + sum(messages.flatMap(sizes));

/** The session with the usage of a provider that has a cache for each model, with an entry for each end that was written. */
function serve(
	session: OldSession,
	{ isUnwritten, isLost, modelOf = () => "a", factor = 1 }: Fate,
): OldSession {
	const caches = new Map<string, { shown: readonly HostMessage[]; ends: readonly number[] }>();
	const sent = listSent({ old: session, count: countQuarters });
	const served = Array.from(sent, ({ answer, sent: messages }, request) => {
		const model = modelOf(request);
		const shown = messages();
		const before = caches.get(model) ?? { shown: [], ends: [] };
		const differing = before.shown.findIndex(
			(message, at) => !shown[at] || !isSameMessage(message, shown[at]),
		);
		const shared = differing < 0 ? before.shown.length : differing;
		const ends = isLost?.(request) ? [] : before.ends.filter((end) => end <= shared);
		const end = ends.at(-1);
		const counted = (messages: readonly HostMessage[]) => Math.round(factor * tokensOf(messages));
		const cacheRead = end === undefined ? 0 : counted(shown.slice(0, end));
		const tokens = counted(shown);
		const input = isUnwritten?.(request) ? tokens - cacheRead : 0;
		// The end of the system prompt is an entry of its own.
		caches.set(model, { shown, ends: [...new Set([0, ...ends, ...(input > 0 ? [] : [shown.length])])] });
		const usage = { ...answer.usage, input, cacheRead, cacheWrite: tokens - cacheRead - input };
		return [answer, { ...answer, model, usage }] as const;
	});
	const answers = new Map<unknown, unknown>(served);
	const messages = session.messages.map((message) => (answers.get(message) ?? message) as typeof message);
	const branch = session.branch.map((entry) =>
		entry.message ? { ...entry, message: answers.get(entry.message) ?? entry.message } : entry,
	);
	return { ...session, messages, branch };
}

/** The cost of each request of an arm. */
function costsOf(session: OldSession, kind: string) {
	const arm = reportSession(session, settings).costs.arms.find((each) => each.kind === kind);
	return arm?.cumulative.map((total, index) => total - (arm.cumulative[index - 1] ?? 0)) ?? [];
}

let requests = 0;
const numbers = managed.branch.flatMap(({ type, message }) => {
	if (Object(message).role === "assistant") requests += 1;
	return type === "custom" ? [requests] : [];
});
/** A pass late in the session, when no eviction would send many times as much. */
const pass = numbers.at(-3) ?? 0;

test.each<readonly [string, Fate]>([
	["wrote each request", {}],
	["did not write the end of a request", { isUnwritten: (request) => request === pass }],
	[
		"wrote only the first of some requests",
		{ isUnwritten: (request) => request > pass && request < pass + 9 },
	],
	["lost its cache in a pause", { isLost: (request) => request === pass + 5 }],
	["served another model for a while", { modelOf: (at) => (at >= pass - 2 && at < pass + 3 ? "b" : "a") }],
	["served one model and then another", { modelOf: (at) => (at < pass ? "a" : "b") }],
])("no eviction costs what it would have at a provider that %s", (_, fate) => {
	const expected = costsOf(serve({ ...managed, branch: [] }, fate), "session");
	const none = costsOf(serve(managed, fate), "none");
	expect(none).toHaveLength(expected.length);
	// What a request adds to the small ones at the beginning is estimated too roughly for a comparison.
	for (const [request, cost] of [...none.entries()].slice(pass / 2))
		expect(cost / (expected[request] ?? 0), `request ${request}`).toBeCloseTo(1, 1);
});

test.each([
	[0, 1],
	[20, 10],
])(
	"a request with a pass that its provider has nothing cached of, %i minutes after the one before, costs an arm without the pass up to %i times as much",
	(minutes, times) => {
		const from = managed.messages.filter(isAnswer)[pass]?.timestamp ?? 0;
		const moved = new Map<unknown, HostMessage>(
			managed.messages.map((message) => {
				const pause = message.timestamp < from ? 0 : minutes * 60_000;
				return [message, { ...message, timestamp: message.timestamp + pause }];
			}),
		);
		const rested = {
			...managed,
			messages: [...moved.values()],
			branch: managed.branch.map((entry) => ({ ...entry, message: moved.get(entry.message) })),
		};
		const none = costsOf(serve(rested, { isLost: (request) => request === pass }), "none");
		const share = (none[pass] ?? 0) / (none[pass - 1] ?? 1);
		expect(share).toBeGreaterThan(times / 2);
		expect(share).toBeLessThan(times * 2);
	},
);

test("a request that an undo had written whole is no sign of a lost cache in an arm that took nothing back", () => {
	const at = pass + 2;
	const before = managed.branch.findLastIndex(({ type }, index) => {
		const isAnswer = ({ message }: (typeof managed.branch)[number]) => Object(message).role === "assistant";
		return type === "message" && managed.branch.slice(0, index).filter(isAnswer).length === at;
	});
	const undo = { type: "custom", customType: UNDO_ENTRY, data: { version: 1 } };
	const undone = { ...managed, branch: managed.branch.toSpliced(before, 0, undo) };
	// Providers look for the end of an earlier request only so far back.
	const none = costsOf(serve(undone, { isLost: (request) => request === at }), "none");
	expect(none[at]).toBeLessThan(1.5 * (none[at - 1] ?? 0));
});

/** The session up to an answer, by its number from 1. */
function cutAfter(session: OldSession, request: number): OldSession {
	const answers = session.messages.filter(({ role }) => role === "assistant");
	const last = answers[request - 1];
	return {
		...session,
		messages: session.messages.slice(
			0,
			session.messages.findIndex(({ timestamp }) => timestamp === last?.timestamp) + 1,
		),
		branch: session.branch.slice(0, session.branch.findIndex(({ message }) => message === last) + 1),
	};
}

test("what requests cost in any arm is the same whether the session ends with them or goes on", () => {
	const bit = (of: number) => (request: number) => (of >> (request % 30)) % 2 === 1;
	const drawn = fc.record({
		budget: fc.integer({ min: 3_000, max: 9_000 }),
		factor: fc.constantFrom(0.8, 1, 1.35),
		unwritten: fc.nat(),
		lost: fc.tuple(fc.nat(), fc.nat()),
		models: fc.nat(),
		cuts: fc.array(fc.integer({ min: 1, max: 80 }), { minLength: 2, maxLength: 2 }),
	});
	let isLower = false;
	const check = fc.property(drawn, ({ budget, factor, unwritten, lost, models, cuts }) => {
		const fate = {
			isUnwritten: bit(unwritten),
			isLost: bit(lost[0] & lost[1]),
			modelOf: (at: number) => (bit(models)(Math.floor(at / 9)) ? "a" : "b"),
			factor,
		};
		const session = manageSession(writeLongSession(20).messages, budget);
		// cwl notes its rules before the first request.
		const branch = [{ type: "custom", customType: "cwl.zone" }, ...session.branch];
		const served = serve({ ...session, branch }, fate);
		const whole = reportSession(served, settings).costs.arms;
		const paid = served.messages
			.filter(isAnswer)
			.map(({ usage: { input, cacheRead, cacheWrite, output } }) => {
				return requestCost(prices, { fresh: input, cached: cacheRead, written: cacheWrite, output });
			});
		expect(whole[0]?.total).toBeCloseTo(sum(paid), 6);
		for (const cut of cuts) {
			const { requests, costs } = reportSession(cutAfter(served, cut), settings);
			expect(costs.arms.map(({ kind }) => kind)).toEqual(whole.map(({ kind }) => kind));
			for (const [index, arm] of costs.arms.entries()) {
				expect(arm.cumulative).toHaveLength(requests.length);
				expect(arm.cumulative, arm.kind).toEqual(whole[index]?.cumulative.slice(0, cut));
				expect(arm.sizes, arm.kind).toEqual(whole[index]?.sizes.slice(0, cut));
			}
		}
		isLower ||= whole.some(({ kind, largest }) => kind === "compaction" && largest < 5_000);
	});
	fc.assert(check, { numRuns: 12, seed: 4 });
	// The drawn sessions are ones in which the arms differ.
	expect(isLower).toBe(true);
});
