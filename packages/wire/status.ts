/** The figures of a running proxy: what agents sent, what was or would have been sent instead, what that costs, and the page `/health`. */
import { sum } from "#basics";
import type { TokenPrices } from "#core/prices";
import type { ProjectedRequest } from "./enforce/projector.ts";
import type { InputFigures, Status } from "./figures.ts";
import type { Endpoint } from "./formats/formats.ts";

/** Older conversations are in the sums only. */
const MAX_CONVERSATIONS = 50;

const NOTHING: InputFigures = { tokens: 0, cached: 0, cost: 0 };

/** Keeps the status of a proxy up to date with its requests. */
export function createStatusKeeper(head: Pick<Status, "mode" | "budget" | "budgetMode">) {
	let status: Status = {
		version: 1,
		...head,
		requests: 0,
		passes: 0,
		threads: 0,
		unread: {},
		received: NOTHING,
		projected: NOTHING,
		largest: 0,
		conversations: [],
	};
	return {
		addThread() {
			status = { ...status, threads: status.threads + 1 };
		},
		addUnread({ onlyCounts }: Endpoint, reason: string) {
			if (onlyCounts) return;
			const unread = { ...status.unread, [reason]: (status.unread[reason] ?? 0) + 1 };
			status = { ...status, requests: status.requests + 1, unread };
		},
		add({ name: endpoint, onlyCounts }: Endpoint, request: ProjectedRequest) {
			if (onlyCounts) return;
			const { conversation: name, pass, prices, received, sent: projected } = request;
			const unknown = { name, endpoint, requests: 0, passes: 0, received: 0, projected: 0 };
			const known = status.conversations.find((each) => each.name === name) ?? unknown;
			const others = status.conversations.filter((each) => each !== known);
			const count = ({ requests, passes }: Pick<Status, "requests" | "passes">) => ({
				requests: requests + 1,
				passes: passes + (pass ? 1 : 0),
			});
			const conversation = { ...known, ...count(known), received, projected };
			status = {
				...status,
				...count(status),
				largest: Math.max(status.largest, received),
				received: addInput(status.received, received, known.received, prices),
				projected: addInput(status.projected, projected, pass ? request.unchanged : known.projected, prices),
				conversations: [conversation, ...others].slice(0, MAX_CONVERSATIONS),
			};
		},
		read: () => status,
	};
}

function addInput(
	sum: InputFigures,
	tokens: number,
	before: number,
	{ read, write, input }: TokenPrices,
): InputFigures {
	const cached = Math.min(before, tokens);
	const cost = (cached * read + (tokens - cached) * write) / input;
	return { tokens: sum.tokens + tokens, cached: sum.cached + cached, cost: sum.cost + cost };
}

/** The page `/health`: plain text, for a terminal and for a browser. */
export function formatHealth(status: Status): string {
	const { mode, budget, budgetMode, threads, unread } = status;
	const limit = `${thousands(budget)} tokens`;
	const reasons = Object.entries(unread).map(([reason, count]) => `${reason}: ${thousands(count)}`);
	return [
		`cwl proxy\n\n${verdictOf(status)}`,
		`Mode: ${mode}. Budget: ${budgetMode === "auto" ? `automatic, at most ${limit}` : limit}.`,
		...(threads > 0
			? [
					`Message threads refused: ${thousands(threads)}. Agents then send whole conversations, of which content can be evicted.`,
				]
			: []),
		...(reasons.length > 0 ? [`Requests that passed unread: ${reasons.join("; ")}.`] : []),
		"Tokens are counted with o200k; the cached part assumes that the provider still holds what the request before sent.",
		"All figures, also by conversation, as JSON: /health.json\n",
	].join("\n\n");
}

/** One or two sentences that a user could repeat to a colleague. */
export function verdictOf(status: Status): string {
	const { requests, unread } = status;
	if (requests === 0) return "No requests yet.";
	const unknown = sum(Object.values(unread));
	const read = requests - unknown;
	if (read === 0) {
		const passed = requests === 1 ? "it passed unread, so nothing is known of its size" : UNREAD;
		return `${plural(requests, "request")}; ${passed}.`;
	}
	const known = verdictOfRead(status, plural(read, "request"));
	return unknown === 0 ? known : `${known} ${thousands(unknown)} more passed unread.`;
}

const UNREAD = "all passed unread, so nothing is known of their size";

/** Passes of an earlier run evict too: it counts what was evicted, and not only which passes this run has made. */
function verdictOfRead({ mode, passes, received, projected, budget, largest }: Status, read: string): string {
	const isEnforced = mode === "enforce";
	if (passes === 0 && projected.tokens === received.tokens) {
		if (largest > budget) {
			return `${read}; the largest had ${thousands(largest)} tokens, above the budget of ${thousands(budget)}, but nothing of it may be evicted.`;
		}
		return `${read}; none exceeded the budget of ${thousands(budget)} tokens, so nothing ${isEnforced ? "was" : "would be"} evicted.`;
	}
	const change = Math.round(100 * (projected.cost / received.cost - 1));
	const cost =
		change === 0 ? "about as much as" : `${Math.abs(change)} % ${change < 0 ? "less than" : "more than"}`;
	const tokens = `${thousands(received.tokens - projected.tokens)} fewer input tokens`;
	if (!isEnforced) {
		return `${read}: eviction would have sent ${tokens}, and the input would cost ${cost} now. Start the proxy with --enforce to do so.`;
	}
	const by =
		passes === 0 ? "evictions of earlier passes" : plural(passes, "eviction pass", "eviction passes");
	return `${read} with ${by}: ${tokens}, and input that costs ${cost} without cwl.`;
}

function thousands(value: number): string {
	return Math.round(value).toLocaleString("en-US");
}

function plural(count: number, one: string, many = `${one}s`): string {
	return `${thousands(count)} ${count === 1 ? one : many}`;
}
