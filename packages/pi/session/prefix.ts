/**
 * Another beginning of the request: a change that no pass makes and that invalidates thinking (design rule 19). The beginning
 * is kept in the session file, so that a resumed session knows that of its last request.
 */
import { isDeepStrictEqual } from "node:util";
import { fnv1a } from "#basics";
import type { Graph } from "#core/graph";
import type { Pass, View } from "#core/log";
import { firstChange, type PlanInput, planChangeAt, thinkingOnly } from "#core/planning";
import { compactedAt, type HostMessage } from "../codec/host-message.ts";

export interface Prefix {
	/** False while CWL is switched off and the whole history is sent. */
	readonly isOn: boolean;
	/** Names the system prompt and the tools in front of the messages. */
	readonly head: string;
	/** The time of pi's last compaction in ms, which replaced the beginning of the history; 0 without one. */
	readonly compaction: number;
	/** The model takes changes of the system prompt and the tools inside the conversation. */
	readonly takesChanges: boolean;
}

/** The prefix of a request that differs from the one before, and the thinking that this made invalid, if any was lost. */
export type PrefixChange = NonNullable<ReturnType<typeof changeOf>>;

/** The prefix of a request of these messages behind a system prompt and tools. */
export function prefixOf(
	messages: readonly HostMessage[],
	isOn: boolean,
	head: string,
	takesChanges: boolean,
): Prefix {
	return { isOn, head: fnv1a(head).toString(36), compaction: compactedAt(messages), takesChanges };
}

/** The session and settings that show how much thinking a change invalidates. */
export type ChangeInput = Pick<
	PlanInput,
	"graph" | "view" | "fixed" | "budget" | "keepsLoopThinking" | "model" | "pinned"
>;

/** The input of a plan, and the thinking that a change makes invalid with the next request, before any pass; undefined for none. */
export interface NextInput extends PlanInput {
	readonly lost?: Pass | undefined;
}

/**
 * The change from one prefix to the next; undefined where nothing changed. `last` is undefined before the first request; `rewrittenAt`
 * is the index of the first message that another program has changed since then.
 */
export function changeOf(
	last: Prefix | undefined,
	next: Prefix,
	rewrittenAt: number | undefined,
	input: ChangeInput,
): { readonly prefix: Prefix; readonly pass: Pass | undefined } | undefined {
	if (rewrittenAt === undefined && isDeepStrictEqual(last, next)) return undefined;
	const { graph } = input;
	const now = shownView(graph, input.view, next.isOn);
	const isSameHead = last?.head === next.head && last.compaction === next.compaction;
	const before = isSameHead ? shownView(graph, input.view, last.isOn) : undefined;
	const first = before ? Math.min(firstChange(graph, before, now), rewrittenAt ?? graph.messages.length) : 0;
	return { prefix: next, pass: planChangeAt({ ...input, view: now }, first) };
}

/** The view that a request sends: while CWL is off, only thinking that is gone for good stays away. */
export function shownView(graph: Graph, view: View, isOn: boolean): View {
	return isOn ? view : thinkingOnly(graph, view);
}
