/** Reads the episodes from the visible delimiter calls, and adds delimiter calls to messages with real calls. */
import type { ModelMessage, ModelRequest } from "../model.ts";
import { type Action, type NewCall, spellAction } from "./toolbox.ts";
import { type Exchange, listExchanges } from "./visible.ts";

export type EpisodeType = "expl" | "act";

interface OpenEpisode {
	readonly name: string;
	readonly type: EpisodeType;
}

export interface Episodes {
	readonly open: OpenEpisode | undefined;
	/** Names of closed expl episodes, oldest first: the possible dependencies of an act. */
	readonly closed: readonly string[];
	/** Every name that is in use or was refused. */
	readonly taken: ReadonlySet<string>;
	/** The episode of each call, by call id. */
	readonly byCall: ReadonlyMap<string, string>;
}

interface EpisodeState {
	open: OpenEpisode | undefined;
	readonly closed: Set<string>;
	readonly unusable: Set<string>;
	readonly taken: Set<string>;
	readonly byCall: Map<string, string>;
}

export function readEpisodes(messages: readonly ModelMessage[]): Episodes {
	const state: EpisodeState = {
		open: undefined,
		closed: new Set(),
		unusable: new Set(),
		taken: new Set(),
		byCall: new Map(),
	};
	for (const message of messages) {
		if (message.type === "user") readNote(state, message.text);
	}
	for (const exchange of listExchanges(messages)) {
		if (exchange.call.name === "delimiter") readDelimiter(state, exchange);
		else if (state.open) state.byCall.set(exchange.call.id, state.open.name);
	}
	const closed = [...state.closed].filter((name) => !state.unusable.has(name) && name !== state.open?.name);
	return { open: state.open, closed, taken: state.taken, byCall: state.byCall };
}

/** A marker line such as `[expl "find-x" evicted] ...` stands for an evicted episode, which was closed before. */
function readNote(state: EpisodeState, text: string): void {
	for (const [, type, name] of text.matchAll(/^\s*\[(expl|act) "([^"]+)"/gm)) {
		if (name === undefined) continue;
		state.taken.add(name);
		if (type === "expl") state.closed.add(name);
	}
}

function readDelimiter(state: EpisodeState, { call, text, isError }: Exchange): void {
	const { action, name, type } = call.arguments;
	if (isError) {
		readRefusal(state, call.arguments, text);
		return;
	}
	if (state.open?.type === "expl") state.closed.add(state.open.name);
	state.open = undefined;
	if (action !== "start" || typeof name !== "string") return;
	state.taken.add(name);
	state.open = { name, type: type === "act" ? "act" : "expl" };
}

/** A refusal names its reason: an open episode, a name in use, or an unknown dependency. */
function readRefusal(state: EpisodeState, call: Readonly<Record<string, unknown>>, text: string): void {
	const quoted = /"([^"{}]+)"/.exec(text)?.[1];
	if (/\bno episode is open|nothing (is )?open/i.test(text)) {
		state.open = undefined;
		return;
	}
	if (call.action === "end") {
		const type = call.description === undefined ? "expl" : "act";
		state.open = { name: quoted ?? state.open?.name ?? "unknown", type };
		return;
	}
	if (/\bopen\b/i.test(text) && quoted !== undefined) {
		state.open = { name: quoted, type: /"description"/.test(text) ? "expl" : "act" };
		return;
	}
	if (typeof call.name === "string") state.taken.add(call.name);
	if (/depend|no episode named|is an act\b/i.test(text) && Array.isArray(call.dependencies)) {
		for (const dependency of call.dependencies) state.unusable.add(String(dependency));
	}
}

export interface Annotation {
	readonly type: EpisodeType;
	/** The task as it appears in the names of its episodes. */
	readonly task: string;
	/** The step of the task. Names that contain it do not repeat, even after earlier ones are evicted. */
	readonly step: number;
	/** The findings of an expl that ends now. */
	readonly description: string;
	/** Closed expl episodes that the coming act builds on. */
	readonly dependencies: readonly string[];
	/** End the episode in the same message. */
	readonly closing: boolean;
}

const LEFT_BEHIND = "Left behind by an earlier task, with nothing found that is worth keeping.";

const delimiter = (input: Readonly<Record<string, unknown>>): NewCall => ({
	name: "delimiter",
	arguments: input,
});

const MAX_DEPENDENCIES = 4;

/** A step of a task; its dependencies are the expls of the task, and those with the calls that it builds on. */
interface Step extends Omit<Annotation, "type" | "dependencies"> {
	readonly actions: readonly Action[];
	readonly typeIn: (episodes: Episodes) => EpisodeType;
	/** Ids of the calls that it builds on. */
	readonly sources: readonly string[];
}

/** The calls of a step, marked where the request offers the tool for it. */
export function makeCalls({ tools, messages }: ModelRequest, step: Step): readonly NewCall[] {
	const calls = step.actions.map((action) => spellAction(action, tools));
	if (!tools.some(({ name }) => name === "delimiter")) return calls;
	const episodes = readEpisodes(messages);
	const known = new Set(step.sources.map((id) => episodes.byCall.get(id)));
	const dependencies = episodes.closed
		.filter((name) => name.includes(step.task) || known.has(name))
		.slice(-MAX_DEPENDENCIES);
	return annotate(episodes, { ...step, type: step.typeIn(episodes), dependencies }, calls);
}

/** The calls with the delimiters that open or close the right episode; never delimiters alone. */
export function annotate(
	episodes: Episodes,
	wanted: Annotation,
	calls: readonly NewCall[],
): readonly NewCall[] {
	if (calls.length === 0) return [];
	const { open } = episodes;
	const ours = open?.name.includes(wanted.task) ?? false;
	const fits = ours && open?.type === wanted.type;
	if (fits) return [...calls, ...(wanted.closing ? [endOf(open.type, wanted.description)] : [])];
	return [
		...(open ? [endOf(open.type, ours ? wanted.description : LEFT_BEHIND)] : []),
		...startsOf(episodes, wanted),
		...calls,
		...(wanted.closing ? [endOf(wanted.type, wanted.description)] : []),
	];
}

function endOf(type: EpisodeType, description: string): NewCall {
	return delimiter(type === "expl" ? { action: "end", description } : { action: "end" });
}

/** An act needs a closed expl: the one that ends with this message, an earlier one, or a short one made for it. */
function startsOf(episodes: Episodes, wanted: Annotation): readonly NewCall[] {
	const expl = freshName(episodes, `find-${wanted.task}`, wanted.step);
	if (wanted.type === "expl") return [delimiter({ action: "start", name: expl, type: "expl" })];
	const ending = episodes.open?.type === "expl" ? [episodes.open.name] : [];
	const known = [...new Set([...ending, ...wanted.dependencies])];
	const name = freshName(episodes, `do-${wanted.task}`, wanted.step);
	const start = (dependencies: readonly string[]): NewCall =>
		delimiter({ action: "start", name, type: "act", dependencies });
	if (known.length > 0) return [start(known)];
	return [
		delimiter({ action: "start", name: expl, type: "expl" }),
		endOf("expl", wanted.description),
		start([expl]),
	];
}

/** The base name with the step, or with the next free number. */
function freshName({ taken }: Episodes, base: string, step: number): string {
	let number = step;
	while (taken.has(`${base}-${number}`)) number += 1;
	return `${base}-${number}`;
}
