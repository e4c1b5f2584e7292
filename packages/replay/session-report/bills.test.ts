import { expect, test } from "vitest";
import { sum } from "#basics";
import type { HostMessage } from "#pi/codec";
import { createManagedSession, type OldSession, readLogEntries } from "#pi/session";
import { isSameMessage } from "../metrics/prefix.ts";
import { createSizes } from "../recording/recording.ts";
import { listSent, splitAtCompactions } from "../recording/sent-requests.ts";
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
}

const sizes = createSizes(countQuarters);
const tokensOf = (messages: readonly HostMessage[]) => OVERHEAD + sum(messages.flatMap(sizes));

/** The session with the usage of a provider that has a cache for each model, with an entry for each end that was written. */
function serve(session: OldSession, { isUnwritten, isLost, modelOf = () => "a" }: Fate): OldSession {
	const { passes } = readLogEntries(session.branch);
	const own = createManagedSession(countQuarters, { passes });
	const caches = new Map<string, { shown: readonly HostMessage[]; ends: readonly number[] }>();
	const sent = listSent({ session: own, old: session, stretches: splitAtCompactions(session) });
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
		const cacheRead = end === undefined ? 0 : tokensOf(shown.slice(0, end));
		const tokens = tokensOf(shown);
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
