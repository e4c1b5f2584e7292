/** The figures of a running proxy: what agents sent, what was or would have been sent instead, and what that costs. */
import type { TokenPrices } from "#core/prices";
import type { Projection } from "../enforce/projector.ts";
import type { Endpoint } from "../wire/formats.ts";

export type Mode = "observe" | "enforce";

/** Input of one kind of requests, with a prompt cache that holds all that the request before sent. In tokens. */
export interface InputFigures {
	readonly tokens: number;
	/** Part of `tokens`. */
	readonly cached: number;
	/** In tokens of plain, uncached input at the provider's prices. */
	readonly cost: number;
}

export interface ConversationFigures {
	readonly name: string;
	readonly endpoint: string;
	readonly requests: number;
	readonly passes: number;
	/** Tokens of the last request as the agent sent it, and with evictions. */
	readonly received: number;
	readonly projected: number;
}

export interface Status {
	readonly version: 1;
	readonly mode: Mode;
	/** In tokens; the most that an automatic one may choose. */
	readonly budget: number;
	readonly budgetMode: "auto" | "fixed";
	readonly requests: number;
	readonly passes: number;
	/** Requests that passed unread, by reason. */
	readonly unread: Readonly<Record<string, number>>;
	/** All requests as the agents sent them, and with evictions. */
	readonly received: InputFigures;
	readonly projected: InputFigures;
	/** The largest request as an agent sent it, in tokens; 0 before the first that was read. */
	readonly largest: number;
	/** The most recent first. */
	readonly conversations: readonly ConversationFigures[];
}

export interface StatusKeeper {
	add(endpoint: Endpoint, projection: Projection): void;
	read(): Status;
}

/** Older conversations are in the sums only. */
const MAX_CONVERSATIONS = 50;

type Head = Pick<Status, "mode" | "budget" | "budgetMode">;
type Growing<T> = { -readonly [K in keyof T]: T[K] };

export function createStatusKeeper({ mode, budget, budgetMode }: Head): StatusKeeper {
	const conversations = new Map<string, Growing<ConversationFigures>>();
	const unread: Record<string, number> = {};
	const received: Growing<InputFigures> = { tokens: 0, cached: 0, cost: 0 };
	const projected: Growing<InputFigures> = { tokens: 0, cached: 0, cost: 0 };
	let [requests, passes, largest] = [0, 0, 0];
	return {
		add({ name: endpoint, onlyCounts }, projection) {
			if (onlyCounts) return;
			requests += 1;
			if (projection.type === "not understood") {
				unread[projection.reason] = (unread[projection.reason] ?? 0) + 1;
				return;
			}
			const { conversation: name, pass, prices } = projection;
			const known = conversations.get(name) ?? {
				name,
				endpoint,
				requests: 0,
				passes: 0,
				received: 0,
				projected: 0,
			};
			const kept = projection.pass ? projection.unchanged : known.projected;
			addInput(received, projection.received, known.received, prices);
			addInput(projected, projection.sent, kept, prices);
			if (pass) passes += 1;
			largest = Math.max(largest, projection.received);
			known.requests += 1;
			known.passes += pass ? 1 : 0;
			known.received = projection.received;
			known.projected = projection.sent;
			conversations.delete(name);
			conversations.set(name, known);
			const [oldest] = conversations.keys();
			if (conversations.size > MAX_CONVERSATIONS && oldest !== undefined) conversations.delete(oldest);
		},
		read: () => ({
			...{ version: 1, mode, budget, budgetMode, requests, passes, unread: { ...unread } },
			...{ received: { ...received }, projected: { ...projected }, largest },
			conversations: [...conversations.values()].toReversed().map((figures) => ({ ...figures })),
		}),
	};
}

function addInput(
	sum: Growing<InputFigures>,
	tokens: number,
	before: number,
	{ read, write, input }: TokenPrices,
) {
	const cached = Math.min(before, tokens);
	sum.tokens += tokens;
	sum.cached += cached;
	sum.cost += (cached * read + (tokens - cached) * write) / input;
}
