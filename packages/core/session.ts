/**
 * One session under management, for any host: sync the messages, plan and commit passes, send the request. Hosts that
 * keep their own lists of messages use the parts that this is made of.
 */

import { createCompactionClock, dropEvicted } from "./graph/drop-evicted.ts";
import { createLiveFold, createWholeFold, type GraphFold, type LiveFold } from "./graph/fold.ts";
import type { LiveGraph } from "./graph/graph.ts";
import { type Health, measureHealth } from "./health/health.ts";
import { type FixedTokens, totalTokens } from "./ledger/ledger.ts";
import { changesContext, type Pass } from "./log/pass.ts";
import { readLog } from "./log/read-log.ts";
import { createViewBuilder, isLogged, type View, type ViewBuilder } from "./log/view.ts";
import { createPinnedMeter } from "./planning/pinned-meter.ts";
import { cwl } from "./planning/policies/cwl.ts";
import type { PlanInput, Policy } from "./planning/policy.ts";
import { type PassPreview, previewPass } from "./planning/preview.ts";
import { createRemaining } from "./planning/remaining-episodes.ts";
import { createProjection, type GrowingProjection, type ProjectedPart } from "./projection/projection.ts";
import { keepThinkingValid } from "./thinking/forfeit.ts";
import type { ToolTable } from "./transcript/tool-table.ts";
import type { TranscriptMessage } from "./transcript/transcript.ts";

type Optional =
	| "lowWater"
	| "isCold"
	| "prices"
	| "canRestore"
	| "textOf"
	| "fadedSize"
	| "pinned"
	| "keepsLoopThinking";

/** Settings of a session. They may differ from call to call: `configure` replaces some of them. */
export interface SessionOptions extends Pick<PlanInput, Optional> {
	/** The context size in tokens above which a pass is made. */
	readonly budget: number;
	/** The size of a text in tokens. It is called for the lines that replace evicted content. */
	readonly countTokens: (text: string) => number;
	/** Profiles of the host's tools; an unknown tool is judged by the size of its output. */
	readonly tools?: ToolTable;
	/** The default policy `cwl` if absent. */
	readonly policy?: Policy;
	/** Tokens of the system prompt and of the tool definitions; 0 if absent. */
	readonly fixed?: FixedTokens;
}

export interface Session {
	/**
	 * Takes all messages of the session as they are now. A list that continues the one before costs time for what is
	 * new; another branch is read again from its beginning. Items of one id are the same item.
	 */
	sync(messages: readonly TranscriptMessage[]): void;
	/** Changes settings for the calls that follow, for example the budget or whether the cache is cold. */
	configure(change: Partial<Omit<SessionOptions, "tools">>): void;
	/** Tokens of the next request. */
	tokens(): number;
	/** The pass that is due now; undefined below the budget. Nothing changes until it is committed. */
	plan(): Pass | undefined;
	/** The pass that will be due once the context exceeds its budget. Nothing changes. */
	preview(): PassPreview;
	/** Appends a pass to the log. A pass is plain JSON: save it with the session before the next request. */
	commit(pass: Pass): void;
	/** The messages to send, in order. Between two passes the list only grows at its end, and is the same object. */
	request(): readonly ProjectedPart[];
	/** Replaces the log, for example after the host loads a saved session. */
	restore(log: readonly Pass[]): void;
	/** The live state, which later calls extend. */
	state(): { readonly graph: LiveGraph; readonly view: View; readonly log: readonly Pass[] };
	/** Measures the whole session. */
	health(): Health;
}

/** Begins an empty session. */
export function createSession(options: SessionOptions): Session {
	const tools = options.tools ?? {};
	let settings: SessionOptions = options;
	let messages: readonly TranscriptMessage[] = [];
	let names: string[] = [];
	let live: LiveFold = createLiveFold(tools);
	let whole: GraphFold<"whole"> | undefined;
	let log: Pass[] = [];
	const compactions = createCompactionClock();
	let view: ViewBuilder = createViewBuilder();
	const measurePinned = createPinnedMeter();
	const findRemaining = createRemaining();
	let projection: GrowingProjection = createProjection(view.read());

	/** Folds all messages again, as after a change of branch or log. */
	function rebuild() {
		live = createLiveFold(tools);
		whole = undefined;
		for (const message of messages) live.append(message);
		names = messages.map(nameOf);
		view = readLog(log, live.read());
		projection = createProjection(view.read());
	}

	function inputFor<G extends PlanInput["graph"]>(graph: G) {
		const { countTokens: countMarker, fixed = { system: 0, tools: 0 } } = settings;
		return { ...settings, graph, view: view.read(), fixed, tools, countMarker, measurePinned, findRemaining };
	}

	function wholeInput() {
		whole ??= createWholeFold(tools);
		const { messages: known } = whole.read();
		for (const message of messages.slice(known.length)) whole.append(message);
		return inputFor(whole.read());
	}

	return {
		sync(next) {
			// A host that reads only what is new hands over the same objects, which need no look.
			const isKnownAt = (name: string, index: number) =>
				next[index] !== undefined && (next[index] === messages[index] || nameOf(next[index]) === name);
			const continues = names.every(isKnownAt);
			const added = continues ? next.slice(names.length) : [];
			messages = [...next];
			for (const message of added) {
				live.append(message);
				names.push(nameOf(message));
			}
			// Items that the log speaks of can come back, for example after a load: then the log is read again.
			const { callOf } = live.read();
			const isKnown = added.some(({ items }) =>
				items.some(({ id }) => isLogged(view.read(), callOf.get(id) ?? id)),
			);
			if (!continues || isKnown || live.needsRebuild()) rebuild();
		},
		configure(change) {
			settings = { ...settings, ...change };
		},
		tokens() {
			const { graph, fixed } = inputFor(live.read());
			return totalTokens(graph, view.read(), fixed);
		},
		plan: () => keepThinkingValid(settings.policy ?? cwl).plan(inputFor(live.read())),
		preview: () => previewPass(settings.policy ?? cwl, wholeInput()),
		commit(pass) {
			if (changesContext(pass) && compactions.isDue(live.read())) dropEvicted(live, view.read());
			compactions.note(pass);
			log.push(pass);
			view.append(pass);
			projection.append(pass);
		},
		request: () => projection.extend(live.read()),
		restore(entries) {
			log = [...entries];
			rebuild();
		},
		state: () => ({ graph: live.read(), view: view.read(), log }),
		health: () => measureHealth(wholeInput(), log),
	};
}

/** Messages are told apart by the ids of their items; silent ones by their author. */
function nameOf({ author, items }: TranscriptMessage): string {
	return `${author} ${items.map(({ id }) => id).join(" ")}`;
}
