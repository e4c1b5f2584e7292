/** One session under management: takes pi's messages before each request and answers what to send instead. */
import { type Descriptions, withDescriptions } from "../core/descriptions.ts";
import { createGraphFold, type GraphFold } from "../core/fold.ts";
import type { Graph } from "../core/graph.ts";
import { computeLedger, type FixedTokens, type Ledger } from "../core/ledger.ts";
import { createViewFold, type Pass, type View, type ViewFold } from "../core/log.ts";
import type { PlanInput, Policy } from "../core/plan.ts";
import { project } from "../core/projection.ts";
import { recountEpisodes } from "../core/recount.ts";
import type { ToolTable } from "../core/tool-table.ts";
import type { TranscriptMessage } from "../core/transcript.ts";
import type { HostMessage } from "./host-message.ts";
import { fingerprint, messageKey, readMessage } from "./messages.ts";
import { renderProjection } from "./rendering.ts";
import type { HistoryStep } from "./session-history.ts";
import { type CountTokens, ITEM_FRAMING } from "./tokens.ts";
import type { CountedAnswer } from "./traffic-meter.ts";

/** What holds for one request; all of it may change between two requests. */
export interface RequestSettings
	extends Pick<PlanInput, "isCold" | "lowWater" | "pinned" | "prices" | "canRestore"> {
	readonly policy: Policy;
	/** Tokens. */
	readonly budget: number;
	readonly fixed: FixedTokens;
}

export interface ProjectedRequest {
	readonly messages: HostMessage[];
	/** The pass made for this request; without strips it only says why nothing could be done. */
	readonly pass: Pass | undefined;
	readonly ledger: Ledger;
}

export interface ManagedSession {
	/** Read messages up to the next request; answers what they come to before a pass. */
	follow(messages: readonly HostMessage[]): { readonly graph: Graph; readonly view: View };
	/** Project the messages of the next request, making a pass first where the policy asks for one. */
	request(messages: readonly HostMessage[], settings: RequestSettings): ProjectedRequest;
	/** What these messages come to under the log as it stands; makes no pass. */
	peek(messages: readonly HostMessage[]): HostMessage[];
	/** What a pass over these messages would be planned from; makes none, and never changes afterwards. */
	look(messages: readonly HostMessage[], settings: RequestSettings): PlanInput;
	/** What the request before each answer came to, in a session that went like this; without those that were not ours. */
	recount(history: Iterable<HistoryStep>, fixed: FixedTokens): Generator<CountedAnswer>;
	/** Add a pass that a person asked for; the next request is the first without what it took. */
	append(pass: Pass): void;
	/** Put a person's descriptions in place of the model's. */
	describe(descriptions: Descriptions): void;
	/** Take the last pass back: what it took is in the next request again. */
	undo(): Pass | undefined;
	/** Replace the log, as after a resume, a fork or a move in the session tree. */
	restore(log: readonly Pass[]): void;
	/** The episode graph and what the log took from it, as of the last request. */
	state(): { readonly graph: Graph; readonly view: View; readonly log: readonly Pass[] };
}

export function createManagedSession(count: CountTokens, tools: ToolTable): ManagedSession {
	const reader = createReader(count);
	const transcript = createTranscript(reader, tools);
	let log: Pass[] = [];
	let view: ViewFold = createViewFold();
	let descriptions: Descriptions = new Map();

	function follow(messages: readonly HostMessage[]): Graph {
		const { graph, added } = transcript.sync(messages);
		// After a resume, a compaction or a move in the tree, what comes may be what the log speaks of.
		const isAgain = ({ items }: TranscriptMessage) => items.some(({ id }) => view.read().removed.has(id));
		if (added.length === graph.messages.length || added.some(isAgain)) view = readLog(log, graph);
		return withDescriptions(graph, descriptions);
	}

	/** In a transcript of its own: a list that is only looked at must not change what the next request makes of its. */
	function read(messages: readonly HostMessage[]): { readonly graph: Graph; readonly view: View } {
		const { graph } = createTranscript(reader, tools).sync(messages);
		return { graph: withDescriptions(graph, descriptions), view: readLog(log, graph).read() };
	}

	function append(pass: Pass) {
		log.push(pass);
		view.append(pass);
	}

	const countMarker = (text: string) => count(text) + ITEM_FRAMING;

	return {
		follow: (messages) => ({ graph: follow(messages), view: view.read() }),
		request(messages, settings) {
			const graph = follow(messages);
			const pass = settings.policy.plan({ graph, view: view.read(), tools, countMarker, ...settings });
			if (pass && changesContext(pass)) append(pass);
			const parts = project(graph, view.read());
			const ledger = computeLedger(graph, view.read(), settings.fixed);
			return { messages: renderProjection(parts, messages), pass, ledger };
		},
		peek(messages) {
			const { graph, view } = read(messages);
			return renderProjection(project(graph, view), messages);
		},
		look: (messages, settings) => ({ ...read(messages), tools, countMarker, ...settings }),
		*recount(history, fixed) {
			const past = createTranscript(reader, tools);
			const passes: Pass[] = [];
			let seen = createViewFold();
			let isOn = true;
			for (const step of history) {
				if (step.type === "switch") isOn = step.isOn;
				else if (step.type === "pass") {
					passes.push(step.pass);
					seen.append(step.pass);
				} else if (step.type === "undo") {
					passes.pop();
					seen = readLog(passes, past.graph());
				} else {
					const { message } = step;
					if (isOn && message.role === "assistant") {
						yield { answer: message, counted: computeLedger(past.graph(), seen.read(), fixed).total };
					}
					past.append(message);
				}
			}
		},
		append,
		describe(edited) {
			descriptions = edited;
		},
		undo() {
			const pass = log.at(-1);
			log = log.slice(0, -1);
			view = readLog(log, transcript.graph());
			return pass;
		},
		restore(entries) {
			log = [...entries];
			transcript.forget();
			view = readLog(log, transcript.graph());
		},
		state: () => ({ graph: withDescriptions(transcript.graph(), descriptions), view: view.read(), log }),
	};
}

/** The view of a log over a graph that it may not have been written against. */
function readLog(log: readonly Pass[], graph: Graph): ViewFold {
	const view = createViewFold();
	for (const pass of log) view.append(pass);
	if (log.length > 0) view.restate(recountEpisodes(graph, view.read()));
	return view;
}

/** Whether a pass took, folded or released anything; one that did not only says why. */
export function changesContext({ strips, folds = [], releases = [] }: Pass): boolean {
	return strips.length > 0 || folds.length > 0 || releases.length > 0;
}

/** Reads a message; `key` names it in its list. */
type Reader = (message: HostMessage, index: number, key: string) => TranscriptMessage;

/**
 * Branches share most of their messages: what was counted once is not counted again. A key alone does not name a
 * message here: when the first of two with one key is gone, the other takes its name.
 */
function createReader(count: CountTokens): Reader {
	const known = new Map<string, TranscriptMessage>();
	return (message, index, key) => {
		const name = `${key} ${fingerprint(message)}`;
		const earlier = known.get(name);
		if (earlier) return { ...earlier, items: earlier.items.map((item) => ({ ...item, message: index })) };
		const read = readMessage(message, index, key, count);
		known.set(name, read);
		return read;
	};
}

interface Transcript {
	/** `added`: what was read; all of the list when it does not continue the one before. */
	sync(messages: readonly HostMessage[]): {
		readonly graph: Graph;
		readonly added: readonly TranscriptMessage[];
	};
	append(message: HostMessage): TranscriptMessage;
	/** Read the next list from its beginning. */
	forget(): void;
	graph(): Graph;
}

/**
 * A fold that follows the host's list. It takes only what is new at the tail; when the list no longer begins with
 * what was read (another branch, a compaction), it starts over, reusing the counts.
 */
function createTranscript(read: Reader, tools: ToolTable): Transcript {
	let fold: GraphFold = createGraphFold(tools);
	/** Keys of the messages that were read. */
	let seen: string[] = [];
	let uses = new Map<string, number>();

	function append(message: HostMessage): TranscriptMessage {
		const key = messageKey(message);
		const use = (uses.get(key) ?? 0) + 1;
		uses.set(key, use);
		const added = read(message, seen.length, use === 1 ? key : `${key}~${use}`);
		seen.push(key);
		fold.append(added);
		return added;
	}

	function startsWithSeen(messages: readonly HostMessage[]): boolean {
		return seen.every((key, index) => {
			const message = messages[index];
			return message !== undefined && messageKey(message) === key;
		});
	}

	function forget() {
		fold = createGraphFold(tools);
		seen = [];
		uses = new Map();
	}

	return {
		sync(messages) {
			if (!startsWithSeen(messages)) forget();
			const added = messages.slice(seen.length).map(append);
			return { graph: fold.read(), added };
		},
		append,
		forget,
		graph: () => fold.read(),
	};
}
