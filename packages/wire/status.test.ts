/** The page `/health` says what its requests were: each sentence and figure is computed here from the requests alone. */
import { expect, test } from "vitest";
import type { ProjectedRequest } from "./enforce/projector.ts";
import type { Mode } from "./figures.ts";
import { findEndpoint } from "./formats/formats.ts";
import { createStatusKeeper, formatHealth, verdictOf } from "./status.ts";
import { projectBody, readingSession, smallProjector } from "./test-support/small-requests.ts";

const BUDGET = 1_000;
const endpoint = findEndpoint("/v1/messages") ?? expect.unreachable("no endpoint");

/** Sends bodies through the engine of a proxy, as its server does. */
function watch(bodies: readonly object[], mode: Mode = "observe", engine = smallProjector(BUDGET)) {
	const status = createStatusKeeper({ mode, budget: BUDGET, budgetMode: "fixed" });
	const seen: ProjectedRequest[] = [];
	for (const body of bodies) {
		try {
			const projection = projectBody(engine, body);
			seen.push(projection);
			status.add(endpoint, projection);
		} catch (error) {
			status.addUnread(endpoint, String(error));
		}
	}
	return { status: status.read(), seen };
}

const sessions = (count: number, size?: number) =>
	Array.from({ length: count }, (_, index) => readingSession(index + 1, size));

const number = (value: number) => Math.round(value).toLocaleString("en-US");

test("each figure is that of the requests: tokens, what a cache would have held, and the cost of both", () => {
	const { status, seen } = watch(sessions(30));
	const prices = endpoint.format.prices;
	const expected = { tokens: 0, cached: 0, cost: 0 };
	const evicting = { tokens: 0, cached: 0, cost: 0 };
	let before = 0;
	let kept = 0;
	for (const { received, sent, pass, unchanged } of seen) {
		const hit = before;
		const keptHit = pass ? unchanged : kept;
		expected.tokens += received;
		expected.cached += hit;
		expected.cost += hit * prices.read + (received - hit) * prices.write;
		evicting.tokens += sent;
		evicting.cached += keptHit;
		evicting.cost += keptHit * prices.read + (sent - keptHit) * prices.write;
		before = received;
		kept = sent;
	}
	const passes = seen.filter(({ pass }) => pass).length;
	expect(passes).toBeGreaterThan(1);
	expect(status.received).toEqual(expected);
	expect(status.projected).toEqual(evicting);
	const conversation = { endpoint: "messages", requests: 30, passes, received: before, projected: kept };
	expect(status.conversations).toMatchObject([conversation]);
	const change = Math.round(100 * (evicting.cost / expected.cost - 1));
	expect(formatHealth(status)).toContain(verdictOf(status));
	expect(verdictOf(status)).toBe(
		`30 requests: eviction would have sent ${number(expected.tokens - evicting.tokens)} fewer input tokens, and the input would ` +
			`cost ${Math.abs(change)} % ${change > 0 ? "more" : "less"} than now. Start the proxy with --enforce to do so.`,
	);
});

test("requests below the budget are said to be, and one above it of which nothing can be evicted is not", () => {
	const small = watch(sessions(2));
	expect(verdictOf(small.status)).toBe(
		"2 requests; none exceeded the budget of 1,000 tokens, so nothing would be evicted.",
	);
	const large = watch([readingSession(1, 400, "Fix the tests. ".repeat(400))]);
	const size = large.seen[0]?.received ?? 0;
	expect(size).toBeGreaterThan(BUDGET);
	expect(verdictOf(large.status)).toBe(
		`1 request; the largest had ${number(size)} tokens, above the budget of 1,000, but nothing of it may be evicted.`,
	);
});

test("requests that nobody could read are not said to be below the budget", () => {
	const unread = { previous_response_id: "r" };
	expect(verdictOf(watch([unread]).status)).toBe(
		"1 request; it passed unread, so nothing is known of its size.",
	);
	const { status } = watch([unread, ...sessions(2), unread]);
	expect(verdictOf(status)).toBe(
		"2 requests; none exceeded the budget of 1,000 tokens, so nothing would be evicted. 2 more passed unread.",
	);
});
