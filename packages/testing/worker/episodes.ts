/** Reads the episodes from the visible delimiter calls, and adds delimiter calls to messages with real calls. */
import type { ModelMessage, ModelRequest } from "../model.ts";
import { type Action, type NewCall, spellAction } from "./toolbox.ts";
import { type Exchange, listExchanges } from "./visible.ts";

type EpisodeType = "expl" | "act";

interface OpenEpisode {
	readonly name: string;
	readonly type: EpisodeType;
}

type Episodes = ReturnType<typeof noEpisodes>;

const noEpisodes = (open?: OpenEpisode) => ({
	open,
	/** Names of expl episodes that were closed, oldest first: the possible dependencies of an act. */
	closed: new Set<string>(),
	/** Names that were refused as a dependency. */
	unusable: new Set<string>(),
	/** Every name that is in use or was refused. */
	taken: new Set<string>(),
	/** The episode of each call, by call id. */
	byCall: new Map<string, string>(),
});

function readEpisodes(messages: readonly ModelMessage[]): Episodes {
	const episodes = noEpisodes();
	for (const message of messages) {
		if (message.type === "user") readNote(episodes, message.text);
	}
	for (const exchange of listExchanges(messages)) {
		if (exchange.call.name === "delimiter")
			(exchange.isError ? readRefusal : readDelimiter)(episodes, exchange);
		else if (episodes.open) episodes.byCall.set(exchange.call.id, episodes.open.name);
	}
	return episodes;
}

/** A marker line such as `[expl "find-x" evicted] ...` stands for an evicted episode, which was closed before. */
function readNote({ taken, closed }: Episodes, text: string): void {
	for (const [, type, name = ""] of text.matchAll(/^\s*\[(expl|act) "([^"]+)"/gm)) {
		taken.add(name);
		if (type === "expl") closed.add(name);
	}
}

function readDelimiter(episodes: Episodes, { call }: Exchange): void {
	const { action, name, type } = call.arguments;
	if (episodes.open?.type === "expl") episodes.closed.add(episodes.open.name);
	episodes.open = undefined;
	if (action !== "start" || typeof name !== "string") return;
	episodes.taken.add(name);
	episodes.open = { name, type: type === "act" ? "act" : "expl" };
}

/** A refusal names its reason: an open episode, a name in use, or an unknown dependency. */
function readRefusal(episodes: Episodes, { call: { arguments: call }, text }: Exchange): void {
	const quoted = /"([^"{}]+)"/.exec(text)?.[1];
	if (/\bno episode is open|nothing (is )?open/i.test(text)) {
		episodes.open = undefined;
	} else if (call.action === "end") {
		const type = call.description === undefined ? "expl" : "act";
		episodes.open = { name: quoted ?? episodes.open?.name ?? "unknown", type };
	} else if (/\bopen\b/i.test(text) && quoted !== undefined) {
		episodes.open = { name: quoted, type: /"description"/.test(text) ? "expl" : "act" };
	} else {
		if (typeof call.name === "string") episodes.taken.add(call.name);
		if (!/depend|no episode named|is an act\b/i.test(text) || !Array.isArray(call.dependencies)) return;
		for (const dependency of call.dependencies) episodes.unusable.add(String(dependency));
	}
}

/** The next calls, and what they are for. */
export interface Work {
	readonly stage: "search" | "read" | "survey" | "change" | "review" | "check";
	readonly actions: readonly Action[];
}

/** A step of a task; its dependencies are the expls of the task, and those with the calls that it builds on. */
export interface Step extends Work {
	/** The task as it appears in the names of its episodes. */
	readonly task: string;
	/** The number of the step. Names that contain it do not repeat, even after earlier ones are evicted. */
	readonly step: number;
	/** The findings of an expl that ends now. */
	readonly description: string;
	/** Ids of the calls that it builds on. */
	readonly sources: readonly string[];
	/** The type of the episode that a check ends; that of the task's open episode if left out, or an expl of its own. */
	readonly checkedIn?: EpisodeType;
}

const LEFT_BEHIND = "Left behind by an earlier task, with nothing found that is worth keeping.";
const MAX_DEPENDENCIES = 4;

const delimiter = (input: NewCall["arguments"]): NewCall => ({ name: "delimiter", arguments: input });
const endOf = (type: EpisodeType, description: string): NewCall =>
	delimiter(type === "expl" ? { action: "end", description } : { action: "end" });

/**
 * The calls of a step, with the delimiters that open or close the right episode where the request offers the tool for it;
 * never delimiters alone.
 */
export function makeCalls({ tools, messages }: ModelRequest, step: Step): readonly NewCall[] {
	const calls = step.actions.map((action) => spellAction(action, tools));
	if (calls.length === 0 || !tools.some(({ name }) => name === "delimiter")) return calls;
	const episodes = readEpisodes(messages);
	const { open } = episodes;
	const isOurs = open?.name.includes(step.task) ?? false;
	const type = typeOf(step, isOurs ? open : undefined);
	const fits = isOurs && open?.type === type;
	return [
		...(open && !fits ? [endOf(open.type, isOurs ? step.description : LEFT_BEHIND)] : []),
		...(fits ? [] : startsOf(episodes, type, step)),
		...calls,
		...(step.stage === "check" ? [endOf(type, step.description)] : []),
	];
}

function typeOf({ stage, checkedIn }: Step, own: Episodes["open"]): EpisodeType {
	if (stage === "check") return checkedIn ?? own?.type ?? "expl";
	return stage === "change" || stage === "review" ? "act" : "expl";
}

/** An act needs a closed expl: the one that ends with this message, an earlier one, or a short one made for it. */
function startsOf(episodes: Episodes, type: EpisodeType, step: Step): readonly NewCall[] {
	const { open, taken } = episodes;
	const expl = freshName(taken, `find-${step.task}`, step.step);
	const startExpl = delimiter({ action: "start", name: expl, type: "expl" });
	if (type === "expl") return [startExpl];
	const sources = new Set(step.sources.map((id) => episodes.byCall.get(id)));
	const closed = [...episodes.closed]
		.filter((name) => !episodes.unusable.has(name) && name !== open?.name)
		.filter((name) => name.includes(step.task) || sources.has(name))
		.slice(-MAX_DEPENDENCIES);
	const known = [...new Set([...(open?.type === "expl" ? [open.name] : []), ...closed])];
	const name = freshName(taken, `do-${step.task}`, step.step);
	const isKnown = known.length > 0;
	const dependencies = isKnown ? known : [expl];
	const start = delimiter({ action: "start", name, type: "act", dependencies });
	return isKnown ? [start] : [startExpl, endOf("expl", step.description), start];
}

/** The base name with the step, or with the next free number. */
function freshName(taken: ReadonlySet<string>, base: string, step: number): string {
	let number = step;
	while (taken.has(`${base}-${number}`)) number += 1;
	return `${base}-${number}`;
}
