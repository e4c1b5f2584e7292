import { expect, test } from "vitest";
import { createManagedSession, type OldSession, readLogEntries } from "#pi/session";
import { createPrefixMeter } from "../metrics/prefix.ts";
import { createSizes } from "../recording/recording.ts";
import { listSent, splitAtCompactions } from "../recording/sent-requests.ts";
import { writeLongSession } from "../test-support/long-session.ts";
import { manageSession, reportSettings } from "../test-support/managed-run.ts";
import { countQuarters } from "../test-support/messages.ts";
import { reportSession } from "./session-report.ts";

const managed = manageSession(writeLongSession(40).messages, 4_000);
const OVERHEAD = 80;

/** The events that requests of a session meet at its provider, by their numbers from 0. */
interface Fate {
	readonly isUnwritten?: (request: number) => boolean;
	readonly isLost?: (request: number) => boolean;
	readonly modelOf?: (request: number) => string;
}

/** The session with the usage of a provider that has a cache for each model, which holds only what was written. */
function serve(session: OldSession, { isUnwritten, isLost, modelOf = () => "a" }: Fate): OldSession {
	const { passes } = readLogEntries(session.branch);
	const own = createManagedSession(countQuarters, { passes });
	const caches = new Map<string, { measure: ReturnType<typeof createPrefixMeter>; held: number }>();
	const sent = listSent({ session: own, old: session, stretches: splitAtCompactions(session) });
	const served = Array.from(sent, ({ answer, sent: messages }, request) => {
		const model = modelOf(request);
		const fresh = { measure: createPrefixMeter(createSizes(countQuarters), OVERHEAD), held: 0 };
		const cache = caches.get(model) ?? fresh;
		caches.set(model, cache);
		const { tokens, sharedTokens } = cache.measure(messages());
		const cacheRead = isLost?.(request) ? 0 : Math.min(cache.held, sharedTokens);
		const input = isUnwritten?.(request) ? tokens - cacheRead : 0;
		cache.held = tokens - input;
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
	const arm = reportSession(session, reportSettings).costs.arms.find((each) => each.kind === kind);
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
