/** One session under management, for any host: sync the messages, plan and commit passes, send the request. pi's sessions are this one. */

import { CwlError, isRecord, quoteStart } from "#basics";
import { createFold } from "./graph/fold.ts";
import type { Graph } from "./graph/graph.ts";
import { measureHealth } from "./health/health.ts";
import { type FixedTokens, totalTokens } from "./ledger/ledger.ts";
import type { Pass } from "./log/pass.ts";
import { readLog } from "./log/read-log.ts";
import { isLogged, type View, viewAfter, viewOfLog } from "./log/view.ts";
import { type Descriptions, withDescriptions } from "./planning/manual-pass.ts";
import { planPass } from "./planning/plan.ts";
import type { PlanInput, Policy } from "./planning/policy.ts";
import { cwl } from "./policies/cwl.ts";
import { createProjection } from "./projection/projection.ts";
import type { ToolTable } from "./transcript/tool-table.ts";
import type { TranscriptMessage } from "./transcript/transcript.ts";

/** Parts of the input of a plan that a session has without its options. */
type Known = "graph" | "view" | "fixed" | "tools" | "countMarker";

/** Settings of a session. They may differ from call to call: `configure` replaces some of them. */
export interface SessionOptions extends Omit<PlanInput, Known> {
	/** The size of a text in tokens. It is called for the lines that replace evicted content. */
	readonly countTokens: (text: string) => number;
	/** Profiles of the host's tools; an unknown tool is judged by the size of its output. */
	readonly tools?: ToolTable;
	/** The default policy `cwl` if absent. */
	readonly policy?: Policy;
	/** Tokens of the system prompt and of the tool definitions; 0 if absent. */
	readonly fixed?: FixedTokens;
	/** A person's descriptions of episodes, in place of the model's. */
	readonly descriptions?: Descriptions;
}

export type Session = ReturnType<typeof createSession>;

/** Begins an empty session. @throws CwlError `bad-option` for a budget or counter of another type */
export function createSession(options: SessionOptions) {
	const tools = options.tools ?? {};
	let settings = checkOptions(options);
	let messages: TranscriptMessage[] = [];
	/** The index of the message that each item is in. */
	let ids = new Map<string, number>();
	let fold = createFold(tools);
	let log: readonly Pass[] = [];
	let view = viewOfLog(log);
	let projection = createProjection(view);
	/** The number of messages that the view was last read for. */
	let read = 0;

	/** Checks the messages that follow the first `start`, and sets their indices; nothing changes if it throws. */
	function take(added: readonly TranscriptMessage[], start: number) {
		for (const [at, message] of added.entries()) checkMessage(message, start + at);
		const known = checkIds(added, start, start > 0 ? ids : new Map());
		if (start > 0) for (const [id, at] of known) ids.set(id, at);
		else ids = known;
		return added.map((message, at) => indexed(message, start + at));
	}

	/** Takes the messages that follow those of the session. @throws CwlError `bad-message`, as `sync` does */
	function append(added: readonly TranscriptMessage[]) {
		for (const message of take(added, messages.length)) fold.append(message);
		messages.push(...added);
	}

	function graph(): Graph {
		return withDescriptions(fold.read(), settings.descriptions ?? new Map());
	}

	function rebuildView() {
		view = readLog(log, fold.read());
		projection = createProjection(view);
		read = messages.length;
	}

	/**
	 * After a load or a change of branch the log may speak of messages that are new: the accounts of its episodes are then
	 * read again. So they are while the newest item of the last pass was not in the list.
	 */
	function currentView(): View {
		if (read === messages.length) return view;
		const { callOf } = fold.read();
		// A result counts with its call, because it may end the episode.
		const isKnown = ({ items }: TranscriptMessage) =>
			items.some(({ id }) => isLogged(view, callOf.get(id) ?? id));
		const newest = log.at(-1)?.newest;
		const isNewestNew = newest !== undefined && (ids.get(newest) ?? read) >= read;
		if (isNewestNew || messages.slice(read).some(isKnown)) rebuildView();
		read = messages.length;
		return view;
	}

	/** Appends a pass to the log. A pass is plain JSON: save it with the session before the next request. */
	function commit(pass: Pass) {
		const before = currentView();
		log = [...log, pass];
		// A note that came after the pass may have the name of one that the pass took.
		if (pass.newest !== fold.read().history.newest) return rebuildView();
		view = viewAfter(before, pass);
		projection = createProjection(view);
	}

	function input(change: Partial<SessionOptions> = {}): PlanInput {
		const { countTokens: countMarker, fixed = { system: 0, tools: 0 }, ...rest } = { ...settings, ...change };
		return { ...rest, graph: graph(), view: currentView(), fixed, tools, countMarker };
	}

	return {
		/**
		 * Takes all messages of the session as they are now. A list that continues the one before costs time for what is
		 * new; another branch is read again from its beginning. The index that each item names is set to that of its message.
		 *
		 * @throws CwlError `bad-message` for an unknown author or item type, a malformed field, or an id that another item
		 * has; the session stays as it was
		 */
		sync(next: readonly TranscriptMessage[]) {
			// A host that reads only what is new passes in the same objects, which are not compared by name.
			const continues = messages.every((known, index) => {
				const message = next[index];
				return message === known || (message !== undefined && nameOf(message) === nameOf(known));
			});
			if (continues) return append(next.slice(messages.length));
			const taken = take(next, 0);
			fold = createFold(tools);
			for (const message of taken) fold.append(message);
			messages = [...next];
			rebuildView();
		},
		append,
		/** Changes settings for the calls that follow, such as the budget. @throws CwlError `bad-option`; the settings stay as they were */
		configure(change: Partial<Omit<SessionOptions, "tools">>) {
			settings = checkOptions({ ...settings, ...change });
		},
		/** Tokens of the next request. */
		tokens() {
			return totalTokens(input());
		},
		/** The pass that is due now; undefined below the budget. Nothing changes until it is committed. */
		plan: () => planPass(settings.policy ?? cwl, input()),
		/** The input that a pass would be planned from under the settings, some of them changed. It is live. */
		input,
		commit,
		/** The messages to send, in order. Between two passes the list only grows at its end, and is the same object. */
		request() {
			currentView();
			return projection(fold.read());
		},
		/** Replaces the log, for example after the host loads a saved session. */
		restore(entries: readonly Pass[]) {
			log = entries;
			rebuildView();
		},
		/** The state as it is now; later calls extend the graph. */
		state: () => ({ graph: graph(), view: currentView(), log }),
		/** Measures the whole session. */
		health: () => measureHealth(input(), log),
	};
}

/** The message with the index that it has in the list, in each of its items; the same object if they have it. */
function indexed(message: TranscriptMessage, index: number): TranscriptMessage {
	if (message.items.every((item) => item.message === index)) return message;
	return { ...message, items: message.items.map((item) => ({ ...item, message: index })) };
}

/**
 * Returns the items of these messages, the first of which has the index `start`, by id.
 * @throws CwlError `bad-message` for an id that another item of them or of the earlier ones has
 */
function checkIds(
	messages: readonly TranscriptMessage[],
	start: number,
	earlier: ReadonlyMap<string, number>,
) {
	const ids = new Map<string, number>();
	for (const [at, { items }] of messages.entries()) {
		for (const { id } of items) {
			const other = earlier.get(id) ?? ids.get(id);
			if (other !== undefined) {
				const problem = `message ${start + at}: id is ${shown(id)}, which an item of message ${other} has`;
				throw new CwlError("bad-message", `${problem}: use an id that no other item has.`);
			}
			ids.set(id, start + at);
		}
	}
	return ids;
}

/** Names a message by the ids of its items; a silent one has its author only. */
function nameOf({ author, items }: TranscriptMessage): string {
	return `${author} ${items.map(({ id }) => id).join(" ")}`;
}

/** Returns the options. @throws CwlError `bad-option` */
function checkOptions(options: SessionOptions): SessionOptions {
	const { budget, countTokens }: Readonly<Record<"budget" | "countTokens", unknown>> = options;
	const refuse = (problem: string) => {
		throw new CwlError("bad-option", problem);
	};
	if (!(typeof budget === "number" && budget > 0))
		refuse(`budget is ${shown(budget)}: use a number of tokens above 0, such as 60000.`);
	if (typeof countTokens !== "function")
		refuse(`countTokens is ${shown(countTokens)}: use a function that returns the tokens of a text.`);
	return options;
}

const AUTHORS: readonly unknown[] = ["user", "host", "model", "tool"];
const ITEM_TYPES: readonly unknown[] = ["user", "note", "text", "reasoning", "call", "result"];

/** @throws CwlError `bad-message` with the index of the message and the field that is wrong */
function checkMessage(message: unknown, index: number) {
	const refuse = (field: string, value: unknown, allowed: string) => {
		throw new CwlError("bad-message", `message ${index}: ${field} is ${shown(value)}: use ${allowed}.`);
	};
	const { author, items } = isRecord(message) ? message : {};
	if (!AUTHORS.includes(author)) refuse("author", author, AUTHORS.join(", "));
	if (!Array.isArray(items)) return refuse("items", items, "a list of items");
	for (const item of items) {
		const { type, id, tokens, callId } = isRecord(item) ? item : {};
		if (!ITEM_TYPES.includes(type)) refuse("type", type, ITEM_TYPES.join(", "));
		if (typeof id !== "string") refuse("id", id, "a text that never changes");
		if (!(typeof tokens === "number" && tokens >= 0 && tokens < Infinity))
			refuse("tokens", tokens, "a number");
		if ((type === "call" || type === "result") && typeof callId !== "string")
			refuse("callId", callId, "the id that joins a call and its result");
	}
}

/** Characters of a wrong value that an error repeats. */
const MAX_SHOWN = 80;

function shown(value: unknown): string {
	if (value === undefined) return "missing";
	return typeof value === "string" ? quoteStart(value, MAX_SHOWN) : String(value).slice(0, MAX_SHOWN);
}
