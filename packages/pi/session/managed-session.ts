/** One session under management: takes pi's messages before each request and answers what to send instead. */
import { createCompactionClock, type Graph } from "#core/graph";
import { type FixedTokens, totalTokens } from "#core/ledger";
import {
	changesContext,
	createViewBuilder,
	isLogged,
	type Pass,
	readLog,
	recountLines,
	type View,
	type ViewBuilder,
} from "#core/log";
import { createPinnedMeter, createRemaining, type PlanInput, type Policy } from "#core/planning";
import {
	createProjection,
	type Descriptions,
	type ProjectedPart,
	project,
	withDescriptions,
} from "#core/projection";
import { forfeitThinking, isPrefixChange, planPrefixChange } from "#core/thinking";
import type { ToolTable, TranscriptMessage } from "#core/transcript";
import { createReader, followList } from "../codec/followed-list.ts";
import type { HostMessage } from "../codec/host-message.ts";
import { itemTexts } from "../codec/item-content.ts";
import { fadedSizes } from "../codec/partial-messages.ts";
import { renderProjection } from "../codec/rendering.ts";
import { type CountTokens, ITEM_FRAMING } from "../codec/tokens.ts";
import type { CountedAnswer } from "../requests/traffic-meter.ts";
import { recountHistory } from "./history-recount.ts";
import { createInspector, type Inspection, type Inspector } from "./inspection.ts";
import { changeOf, isSamePrefix, type Prefix, type PrefixChange, prefixOf, shownView } from "./prefix.ts";
import type { HistoryStep } from "./session-history.ts";

/** The settings of one request; all of them may change between two requests. */
export interface RequestSettings
	extends Pick<PlanInput, "isCold" | "lowWater" | "pinned" | "prices" | "canRestore" | "keepsLoopThinking"> {
	readonly policy: Policy;
	/** Tokens. */
	readonly budget: number;
	readonly fixed: FixedTokens;
	/** The system prompt and the tools in front of the messages; without it nobody looks whether they have changed. */
	readonly head?: string;
}

export interface ProjectedRequest {
	readonly messages: HostMessage[];
	/** To be written to the session file, before the pass; absent if the request begins as the one before it. */
	readonly change?: PrefixChange;
	/** The pass made for this request; without strips it only says why nothing could be done. */
	readonly pass: Pass | undefined;
	/** The size of the request. */
	readonly tokens: number;
}

/** A pass that was taken back, and the log entry for the thinking that this made invalid. */
export interface Undone {
	readonly pass: Pass;
	readonly change: Pass | undefined;
}

export interface ManagedSession {
	/** Reads messages up to the next request; returns their state before a pass. */
	sync(messages: readonly HostMessage[]): { readonly graph: Graph; readonly view: View };
	/** Projects the messages of the next request, making a pass first where the policy asks for one. */
	request(messages: readonly HostMessage[], settings: RequestSettings): ProjectedRequest;
	/** The next request while CWL is off: everything, except for thinking that a pass has made invalid. */
	requestWhole(
		messages: readonly HostMessage[],
		settings: RequestSettings,
	): Pick<ProjectedRequest, "messages" | "change">;
	/** Any list of this session's messages under the log as it stands; makes no pass and changes nothing. */
	inspect(messages: readonly HostMessage[]): Inspection;
	/** The messages that a request would send now, without a pass. */
	preview(messages: readonly HostMessage[]): HostMessage[];
	/** The input that a pass over these messages would be planned from; makes no pass. Valid until the next reading. */
	planInput(messages: readonly HostMessage[], settings: RequestSettings): PlanInput<"whole">;
	/**
	 * The size of the request before each answer, in a session that went like this; without requests that were not
	 * ours.
	 */
	recount(history: Iterable<HistoryStep>, fixed: FixedTokens): Generator<CountedAnswer>;
	/** Add a pass that a person asked for; the next request is the first without what it took. */
	append(pass: Pass): void;
	/** Put a person's descriptions in place of the model's. */
	describe(descriptions: Descriptions): void;
	/** Take the last pass over these messages back: what it took is in the next request again, except for thinking. */
	undo(
		messages: readonly HostMessage[],
		settings: Pick<RequestSettings, "budget" | "fixed" | "keepsLoopThinking">,
	): Undone | undefined;
	/** Replaces the log, as after a resume, a fork or a move in the session tree. `last` is the prefix of the last request. */
	restore(log: readonly Pass[], last?: Prefix): void;
	/** The episode graph and what the log took from it, as of the last request. */
	state(): {
		readonly graph: Graph;
		readonly view: View;
		readonly log: readonly Pass[];
		/** Of the last request; undefined before the first. */
		readonly prefix: Prefix | undefined;
	};
}

/** `cwd` is the folder of the session's workspace, which relative paths start from; "" if unknown. */
export function createManagedSession(count: CountTokens, tools: ToolTable, cwd = ""): ManagedSession {
	const reader = createReader(count, cwd);
	const list = followList(reader, tools);
	/** Continued from call to call: only for lists of the session's own messages, which role and time identify. */
	const inspector = createInspector(reader, tools);
	let log: Pass[] = [];
	let view: ViewBuilder = createViewBuilder();
	const measurePinned = createPinnedMeter();
	const findRemaining = createRemaining();
	let descriptions: Descriptions = new Map();
	let projection = createProjection(view.read());
	/** The parts that the last request sent under this view. */
	let sent: readonly ProjectedPart[] | undefined;
	/** Passes under which the graph has let go of what was evicted: none of these can be taken back without it. */
	let compacted = 0;
	const compactions = createCompactionClock();
	let prefix: Prefix | undefined;
	/** Where another program has rewritten the history since the last request, the index of the first message. */
	let rewrittenAt: number | undefined;

	function setView(next: ViewBuilder) {
		view = next;
		projection = createProjection(next.read());
		sent = undefined;
	}

	function sync(messages: readonly HostMessage[]): Graph {
		let progress = list.follow(messages, sent);
		rewrittenAt = progress.changedAt;
		// After a resume, a compaction or a move in the tree, what comes may be what the log speaks of.
		const { callOf } = progress.graph;
		// A result counts with its call, because it may end the episode.
		const isAgain = ({ items }: TranscriptMessage) =>
			items.some(({ id }) => isLogged(view.read(), callOf.get(id) ?? id));
		if (progress.continues && progress.added.some(isAgain)) {
			list.forget();
			progress = list.follow(messages);
		}
		if (!progress.continues) setView(readLog(log, progress.graph));
		return current();
	}

	const current = () => withDescriptions(list.graph(), descriptions);

	function inspect(messages: readonly HostMessage[], { inspect }: Inspector): Inspection {
		const { graph, view } = inspect(messages, log);
		return { graph: withDescriptions(graph, descriptions), view };
	}

	function append(pass: Pass) {
		log.push(pass);
		view.append(pass);
		projection.append(pass);
		sent = undefined;
	}

	/** Notes that the request begins in another way than the last one; the thinking that this made invalid leaves. */
	function follow(
		messages: readonly HostMessage[],
		settings: RequestSettings,
		isOn: boolean,
	): PrefixChange | undefined {
		const { head } = settings;
		if (head === undefined) return undefined;
		const next = prefixOf(messages, isOn, head);
		if (rewrittenAt === undefined && prefix && isSamePrefix(prefix, next)) return undefined;
		const change = changeOf(prefix, next, rewrittenAt, { ...settings, ...inspect(messages, inspector) });
		prefix = next;
		if (change.pass) append(change.pass);
		return change;
	}

	const countMarker = (text: string) => count(text) + ITEM_FRAMING;

	/** The part of a plan's input that only the host can answer. */
	function hostSide(messages: readonly HostMessage[], graph: Graph) {
		const fadedSize = fadedSizes(messages, count);
		return { tools, countMarker, textOf: itemTexts(messages, graph), fadedSize };
	}

	return {
		// In a list of its own: one that is only inspected must not change what the next preview continues.
		inspect: (messages) => inspect(messages, createInspector(reader, tools)),
		sync: (messages) => ({ graph: sync(messages), view: view.read() }),
		request(messages, settings) {
			sync(messages);
			const change = follow(messages, settings, true);
			const before = { graph: current(), view: view.read() };
			const input = {
				...before,
				...hostSide(messages, before.graph),
				measurePinned,
				findRemaining,
				...settings,
			};
			const planned = settings.policy.plan(input);
			const pass = planned && forfeitThinking(input, planned);
			if (pass && changesContext(pass)) {
				// As of before this pass, so that it can be taken back, and whoever is told of it can look at what it took.
				if (compactions.isDue(before.graph)) {
					list.compact(before.view);
					compacted = log.length;
				}
				compactions.note(pass);
				append(pass);
			}
			const graph = current();
			const tokens = totalTokens(graph, view.read(), settings.fixed);
			sent = projection.extend(graph);
			return { messages: renderProjection(sent, messages), pass, tokens, ...(change && { change }) };
		},
		requestWhole(messages, settings) {
			sync(messages);
			const change = follow(messages, settings, false);
			const { graph, view } = inspect(messages, inspector);
			const parts = project(graph, shownView(graph, view, false));
			return { messages: renderProjection(parts, messages), ...(change && { change }) };
		},
		preview: (messages) => renderProjection(inspector.project(messages, log), messages),
		planInput(messages, settings) {
			const now = inspect(messages, inspector);
			return { ...now, ...hostSide(messages, now.graph), ...settings };
		},
		recount: (history, fixed) => recountHistory(followList(reader, tools), history, fixed),
		append,
		describe(edited) {
			descriptions = edited;
		},
		undo(messages, settings) {
			const last = log.findLastIndex((pass) => !isPrefixChange(pass));
			const pass = log[last];
			if (!pass) return undefined;
			const before = inspect(messages, inspector);
			log = log.toSpliced(last, 1);
			const now = { ...before, view: readLog(log, before.graph).read() };
			const change = planPrefixChange({ ...settings, ...now }, before.view);
			if (change) log.push(change);
			if (last < compacted) list.forget();
			setView(readLog(log, list.graph()));
			return { pass, change };
		},
		restore(entries, last) {
			// They come from a file that anyone may have touched.
			log = entries.map((pass) => recountLines(pass, countMarker));
			prefix = last;
			list.forget();
			setView(readLog(log, list.graph()));
		},
		state: () => ({ graph: current(), view: view.read(), log, prefix }),
	};
}
