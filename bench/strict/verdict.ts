/** Judges whether the providers would take a request, each of their rules on its own. The history itself may break a rule: only the exchanges that break it are excused. */

import { fieldsOf } from "#basics";
import { adaptToApi, type HostMessage, isWhole, toolCallsOf } from "#pi/codec";
import { baseId } from "#replay/metrics";
import type { Refusal, Rule } from "#testing";
import { loadLibrary } from "../pi-host.ts";
import type { Sender, Wire, WireName } from "./wires.ts";

type Messages = readonly HostMessage[];

/** The index of the last message from which on the history breaks the rule: the exchange that begins there is at fault. */
function lastBroken(history: Messages, breaks: (messages: Messages) => boolean): number {
	const calls = callIdsOf(history);
	const starts = [...history.keys()].filter((index) => !answers(history[index], calls));
	let low = 0;
	let high = starts.length;
	while (high - low > 1) {
		const middle = Math.floor((low + high) / 2);
		if (breaks(since(history, starts[middle] ?? 0))) low = middle;
		else high = middle;
	}
	return starts[low] ?? 0;
}

/** The messages from an index on, without results whose call stands before it. */
function since(history: Messages, start: number): Messages {
	const earlier = callIdsOf(history.slice(0, start));
	return history.slice(start).filter((message) => !answers(message, earlier));
}

function answers(message: HostMessage | undefined, calls: ReadonlySet<string>): boolean {
	return message?.role === "toolResult" && calls.has(baseId(message.toolCallId));
}

/** The keys of an exchange's messages, which requests may hold in part. */
function exchangeKeys(history: Messages, first: number): readonly string[] {
	const keys = history.slice(first, first + 1).map(keyOf);
	const calls = callIdsOf(history.filter((message) => keys.includes(keyOf(message))));
	return [...keys, ...[...calls].map(resultKey)];
}

function keyOf(message: HostMessage): string {
	return message.role === "toolResult"
		? resultKey(baseId(message.toolCallId))
		: `${message.role} ${message.timestamp}`;
}

/** An id that came twice is sent with a suffix the second time. */
const resultKey = (callId: string): string => `toolResult ${callId.replace(/_[0-9a-z]{4,7}$/, "")}`;

function callIdsOf(messages: Messages): ReadonlySet<string> {
	return new Set(messages.flatMap(toolCallsOf).map(({ id }) => baseId(id)));
}

const { convertToLlm } = await loadLibrary();

export interface Verdict {
	readonly wire: WireName;
	readonly rule: Rule;
	readonly refusal: Refusal;
}

/**
 * Keys of the messages in exchanges of a session that break a rule so far; no rule belongs to two wires. An exchange is an answer
 * with the results of its calls, or a single message of another kind.
 */
export type Excuses = Map<Rule, Set<string>>;

/**
 * The first refusal of a request that is the engine's fault. The history itself may break a rule: another program cut
 * an answer short, or an id came twice. Only the exchanges that break it are left out, so that the rest of the history keeps
 * the rule.
 */
export function judge(
	wire: Wire,
	sent: Messages,
	history: Messages,
	sender?: Sender,
	excuses: Excuses = new Map(),
): Verdict | undefined {
	if (isWhole(sent, history)) return undefined;
	const bodyOf = (messages: Messages, all: Messages) =>
		fieldsOf(wire.body(convertToLlm(adaptToApi(wire.api, messages, all)), sender));
	const body = bodyOf(sent, history);
	for (const rule of wire.rules) {
		if (rule(body) === undefined) continue;
		const breaks = (all: Messages) => rule(bodyOf(all, all)) !== undefined;
		const broken = excuses.get(rule) ?? new Set();
		excuses.set(rule, broken);
		const keep = (messages: Messages) => messages.filter((message) => !broken.has(keyOf(message)));
		let left = keep(history);
		while (left.length > 0 && breaks(left)) {
			for (const key of exchangeKeys(left, lastBroken(left, breaks))) broken.add(key);
			left = keep(left);
		}
		const refusal = rule(bodyOf(keep(sent), left));
		if (refusal) return { wire: wire.name, rule, refusal };
	}
	return undefined;
}
