/** What the visible delimiter calls tell about episodes; much of it may be gone (paper 4.2 and 4.3). */

import type { ModelMessage } from "../script/scripted-model.ts";
import { type Exchange, listExchanges } from "./exchanges.ts";

export type EpisodeType = "expl" | "act";

interface OpenEpisode {
	readonly name: string;
	readonly type: EpisodeType;
}

export interface Episodes {
	readonly open: OpenEpisode | undefined;
	/** Names of closed expl episodes, oldest first: what an act may depend on. */
	readonly closed: readonly string[];
	/** Every name seen in use, and those that were refused. */
	readonly taken: ReadonlySet<string>;
	/** The episode that a call lies in, by call id. */
	readonly byCall: ReadonlyMap<string, string>;
}

interface Fold {
	open: OpenEpisode | undefined;
	readonly closed: Set<string>;
	readonly unusable: Set<string>;
	readonly taken: Set<string>;
	readonly byCall: Map<string, string>;
}

export function readEpisodes(messages: readonly ModelMessage[]): Episodes {
	const fold: Fold = {
		open: undefined,
		closed: new Set(),
		unusable: new Set(),
		taken: new Set(),
		byCall: new Map(),
	};
	for (const message of messages) {
		if (message.type === "user") readNote(fold, message.text);
	}
	for (const exchange of listExchanges(messages)) {
		if (exchange.call.name === "delimiter") readDelimiter(fold, exchange);
		else if (fold.open) fold.byCall.set(exchange.call.id, fold.open.name);
	}
	const closed = [...fold.closed].filter((name) => !fold.unusable.has(name) && name !== fold.open?.name);
	return { open: fold.open, closed, taken: fold.taken, byCall: fold.byCall };
}

/** A note such as `[expl "find-x" evicted] ...` stands in for an episode that is gone, and was closed before. */
function readNote(fold: Fold, text: string): void {
	for (const [, type, name] of text.matchAll(/^\s*\[(expl|act) "([^"]+)"/gm)) {
		if (name === undefined) continue;
		fold.taken.add(name);
		if (type === "expl") fold.closed.add(name);
	}
}

function readDelimiter(fold: Fold, { call, text, isError }: Exchange): void {
	const { action, name, type } = call.arguments;
	if (isError) {
		readRefusal(fold, call.arguments, text);
		return;
	}
	if (fold.open?.type === "expl") fold.closed.add(fold.open.name);
	fold.open = undefined;
	if (action !== "start" || typeof name !== "string") return;
	fold.taken.add(name);
	fold.open = { name, type: type === "act" ? "act" : "expl" };
}

/** A refusal names what stands in the way: an episode that is still open, a name in use, or an unknown dependency. */
function readRefusal(fold: Fold, call: Readonly<Record<string, unknown>>, text: string): void {
	const quoted = /"([^"{}]+)"/.exec(text)?.[1];
	if (/\bno episode is open|nothing (is )?open/i.test(text)) {
		fold.open = undefined;
		return;
	}
	if (call.action === "end") {
		const type = call.description === undefined ? "expl" : "act";
		fold.open = { name: quoted ?? fold.open?.name ?? "unknown", type };
		return;
	}
	if (/\bopen\b/i.test(text) && quoted !== undefined) {
		fold.open = { name: quoted, type: /"description"/.test(text) ? "expl" : "act" };
		return;
	}
	if (typeof call.name === "string") fold.taken.add(call.name);
	if (/depend|no episode named|is an act\b/i.test(text) && Array.isArray(call.dependencies)) {
		for (const dependency of call.dependencies) fold.unusable.add(String(dependency));
	}
}
