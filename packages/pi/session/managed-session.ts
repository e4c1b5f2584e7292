/** One session under management: takes pi's messages before each request and answers what to send instead. */
import {
	changesContext,
	createProjection,
	createViewBuilder,
	type Descriptions,
	type FixedTokens,
	type Graph,
	type Pass,
	type PlanInput,
	type Policy,
	type ProjectedPart,
	readLog,
	type ToolTable,
	type TranscriptMessage,
	totalTokens,
	type View,
	type ViewBuilder,
	withDescriptions,
} from "#core";
import { createReader, followList } from "../codec/followed-list.ts";
import type { HostMessage } from "../codec/host-message.ts";
import { renderProjection } from "../codec/rendering.ts";
import { type CountTokens, ITEM_FRAMING } from "../codec/tokens.ts";
import type { CountedAnswer } from "../requests/traffic-meter.ts";
import { recountHistory } from "./history-recount.ts";
import { createInspector, type Inspection, type Inspector } from "./inspection.ts";
import type { HistoryStep } from "./session-history.ts";

/** The settings of one request; all of them may change between two requests. */
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
	/** The size of the request. */
	readonly tokens: number;
}

export interface ManagedSession {
	/** Reads messages up to the next request; returns their state before a pass. */
	sync(messages: readonly HostMessage[]): { readonly graph: Graph; readonly view: View };
	/** Project the messages of the next request, making a pass first where the policy asks for one. */
	request(messages: readonly HostMessage[], settings: RequestSettings): ProjectedRequest;
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
	/** Take the last pass back: what it took is in the next request again. */
	undo(): Pass | undefined;
	/** Replace the log, as after a resume, a fork or a move in the session tree. */
	restore(log: readonly Pass[]): void;
	/** The episode graph and what the log took from it, as of the last request. */
	state(): { readonly graph: Graph; readonly view: View; readonly log: readonly Pass[] };
}

export function createManagedSession(count: CountTokens, tools: ToolTable): ManagedSession {
	const reader = createReader(count);
	const list = followList(reader, tools);
	/** Continued from call to call: only for lists of the session's own messages, which role and time identify. */
	const inspector = createInspector(reader, tools);
	let log: Pass[] = [];
	let view: ViewBuilder = createViewBuilder();
	let descriptions: Descriptions = new Map();
	let projection = createProjection(view.read());
	/** The parts that the last request sent under this view. */
	let sent: readonly ProjectedPart[] | undefined;
	/** Passes under which the graph has let go of what was evicted: none of these can be taken back without it. */
	let compacted = 0;

	function setView(next: ViewBuilder) {
		view = next;
		projection = createProjection(next.read());
		sent = undefined;
	}

	function sync(messages: readonly HostMessage[]): Graph {
		let progress = list.follow(messages, sent);
		// After a resume, a compaction or a move in the tree, what comes may be what the log speaks of.
		const isAgain = ({ items }: TranscriptMessage) => items.some(({ id }) => view.read().removed.has(id));
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
		setView(view);
	}

	const countMarker = (text: string) => count(text) + ITEM_FRAMING;

	return {
		// In a list of its own: one that is only inspected must not change what the next preview continues.
		inspect: (messages) => inspect(messages, createInspector(reader, tools)),
		sync: (messages) => ({ graph: sync(messages), view: view.read() }),
		request(messages, settings) {
			const before = { graph: sync(messages), view: view.read() };
			const pass = settings.policy.plan({ ...before, tools, countMarker, ...settings });
			if (pass && changesContext(pass)) {
				// As of before this pass, so that it can be taken back, and whoever is told of it can look at what it took.
				list.compact(before.view);
				compacted = log.length;
				append(pass);
			}
			const graph = current();
			const tokens = totalTokens(graph, view.read(), settings.fixed);
			sent = projection.extend(graph);
			return { messages: renderProjection(sent, messages), pass, tokens };
		},
		preview: (messages) => renderProjection(inspector.project(messages, log), messages),
		planInput: (messages, settings) => ({
			...inspect(messages, inspector),
			...{ tools, countMarker },
			...settings,
		}),
		recount: (history, fixed) => recountHistory(followList(reader, tools), history, fixed),
		append,
		describe(edited) {
			descriptions = edited;
		},
		undo() {
			const pass = log.at(-1);
			log = log.slice(0, -1);
			if (log.length < compacted) list.forget();
			setView(readLog(log, list.graph()));
			return pass;
		},
		restore(entries) {
			log = [...entries];
			list.forget();
			setView(readLog(log, list.graph()));
		},
		state: () => ({ graph: current(), view: view.read(), log }),
	};
}
