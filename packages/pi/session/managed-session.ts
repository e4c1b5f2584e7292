/** One session under management: takes pi's messages before each request and answers what to send instead. */

import type { CountTokens } from "#basics";
import { createSession } from "#core";
import type { Graph } from "#core/graph";
import { type FixedTokens, totalTokens } from "#core/ledger";
import { changesContext, type Pass, recountLines, type View, viewAfter } from "#core/log";
import { atNextTurn, type Descriptions, type PlanInput, type Policy, planPass } from "#core/planning";
import { project } from "#core/projection";
import type { ItemId } from "#core/transcript";
import { createArrivals } from "../codec/arrivals.ts";
import { compactedAt, type HostMessage, withChanges } from "../codec/host-message.ts";
import { itemTexts } from "../codec/item-content.ts";
import { createListReader } from "../codec/list-reader.ts";
import { countedTexts, type Reader, readMessage } from "../codec/messages.ts";
import { reducedSizes } from "../codec/partial-messages.ts";
import { renderProjection } from "../codec/rendering.ts";
import { countAhead, countOnce, ITEM_FRAMING } from "../codec/tokens.ts";
import type { OutputRule } from "../outputs/output-limits.ts";
import { defaultToolTable } from "../tool-profiles.ts";
import { type ChangeInput, changeOf, type NextInput, type Prefix, prefixOf, shownView } from "./prefix.ts";
import { type CountedAnswer, type HistoryStep, recountHistory } from "./session-history.ts";
import { planUndo, type Undone } from "./undo.ts";

type HostAnswer = "tools" | "countMarker" | "textOf" | "reducedSize";

/** The settings of one request; all of them may change between two requests. */
export interface RequestSettings extends Omit<PlanInput, "graph" | "view" | HostAnswer> {
	readonly policy: Policy;
	/** The system prompt and the tools in front of the messages; without it, changes of them are not noticed. */
	readonly head?: string;
	/** False if the host says changes of both inside the conversation, so that what is in front stays as it is. */
	readonly foldsChanges?: boolean;
	/** True if the model takes changes of both inside the conversation. */
	readonly takesChanges?: boolean;
}

/** A list of the session's messages under its log. */
export interface Inspection {
	readonly graph: Graph;
	readonly view: View;
	/** The outputs that were shortened when they arrived; absent if none are shortened. */
	readonly shortened?: ReadonlySet<ItemId>;
}

type UndoSettings = Omit<ChangeInput, "graph" | "view">;

/** A record of lost thinking is no pass that took all that it should: one may come with the same request. */
const afterLoss = ({ lastPassAt }: View, view: View): View => ({ ...view, lastPassAt });

export type ManagedSession = ReturnType<typeof createManagedSession>;

/** The log of the branch that a session begins with, or parts of it. */
interface Beginning {
	/** The rules for large outputs, oldest first. */
	readonly outputs?: readonly OutputRule[];
	/** A person's descriptions of episodes, in place of the model's. */
	readonly descriptions?: Descriptions;
	readonly passes?: readonly Pass[];
	/** The prefix of the last request. */
	readonly prefix?: Prefix | undefined;
	/** The folder that relative paths start from, "" if unknown. */
	readonly cwd?: string | undefined;
}

/** Everything that reads messages is given whole outputs, and reads them as they are sent. */
export function createManagedSession(counter: CountTokens, begin: Beginning = {}) {
	const { outputs = [], passes = [], cwd = "" } = begin;
	const count = countOnce(counter);
	const { asSent, admit } = createArrivals(count, outputs);
	const reader: Reader = (message, index, key) => {
		return { ...readMessage(message, index, key, count, cwd), time: message.timestamp };
	};
	const countMarker = (text: string) => count(text) + ITEM_FRAMING;
	let descriptions: Descriptions = begin.descriptions ?? new Map();
	/** The session as it is sent, continued from request to request. */
	let requests = openList(recounted(passes));
	/** The same log over the lists that are looked at between two requests, which must not change what the next one continues. */
	let looks = openList([]);
	let { prefix } = begin;
	/** The index of the first message that another program has changed since the last request; undefined for none. */
	let rewrittenAt: number | undefined;
	/** The number of messages that were counted ahead so far, and the end of their count. */
	let ahead = 0;
	let counting: Promise<void> = Promise.resolve();

	/** A session over a list of pi's messages. The budget comes with each plan. */
	function openList(log: readonly Pass[]) {
		const readList = createListReader(reader);
		const session = createSession({
			budget: Infinity,
			countTokens: countMarker,
			tools: defaultToolTable,
			descriptions,
		});
		session.restore(log);
		/** Returns the index of the first message that differs from the one that was read there before; undefined if all are the same. */
		const read = (messages: readonly HostMessage[]) => {
			const list = readList(messages);
			session.sync(list.messages);
			return list.differsAt;
		};
		return { ...session, read };
	}

	/** The passes come from a file that anyone may have touched. */
	function recounted(log: readonly Pass[]) {
		return log.map((pass) => recountLines(pass, countMarker));
	}

	/** The parts that a list sends while CWL is on or off. */
	function partsOf(session: typeof requests, isOn: boolean) {
		if (isOn) return session.request();
		const { graph, view } = session.state();
		return project(graph, shownView(graph, view, false));
	}

	/** The messages as a request would send them while CWL is on or off, read by one of the lists under a log. */
	function look(
		messages: readonly HostMessage[],
		isOn: boolean,
		list = looks,
		log = requests.state().log,
	): Inspection {
		list.read(messages);
		if (list.state().log !== log) list.restore(log);
		const { graph, view } = list.state();
		return { graph, view: shownView(graph, view, isOn) };
	}

	function read(messages: readonly HostMessage[]) {
		const at = requests.read(messages);
		if (at !== undefined) rewrittenAt = Math.min(at, rewrittenAt ?? at);
	}

	/**
	 * Reads messages up to the next request. Notes where the request begins in another way than the last one, also where
	 * another program has rewritten the history; the thinking that this made invalid leaves.
	 */
	function follow(messages: readonly HostMessage[], settings: RequestSettings, isOn: boolean) {
		read(messages);
		const at = rewrittenAt;
		rewrittenAt = undefined;
		const { head, foldsChanges = true, takesChanges = false } = settings;
		if (head === undefined) return undefined;
		const next = prefixOf(messages, isOn, foldsChanges ? withChanges(head, messages) : head, takesChanges);
		const change = changeOf(prefix, next, at, { ...settings, ...requests.state() });
		prefix = next;
		if (change?.pass) requests.commit(change.pass);
		return change;
	}

	/** The thinking that a switch or a compaction since the last request makes invalid with the next one, before its pass. */
	function lostNext(messages: readonly HostMessage[], input: PlanInput, isOn: boolean, foldsChanges = true) {
		// What is in front of the messages is known with the request. A switch changes it with the tools, unless the host says these inside the conversation.
		const isSame = prefix?.isOn === isOn || !foldsChanges;
		const next = prefix && {
			...prefix,
			isOn,
			head: isSame ? prefix.head : "",
			compaction: compactedAt(messages),
		};
		const isIdle = input.graph.messages.findLast(({ author }) => author !== "host")?.author === "model";
		// A message of the user ends the loop whose thinking stays.
		return (next && changeOf(prefix, next, undefined, isIdle ? atNextTurn(input) : input))?.pass;
	}

	/** The input of a plan, with the parts that only the host can answer. */
	function inputOf(
		session: typeof requests,
		messages: readonly HostMessage[],
		{ head: _head, ...settings }: RequestSettings,
	): PlanInput {
		const reducedSize = reducedSizes(messages, count);
		const textOf = itemTexts(messages, session.state().graph);
		return session.input({ textOf, reducedSize, ...settings });
	}

	/** The effect that taking back the last pass over these messages would have; undefined without a pass. */
	const undoOf = (messages: readonly HostMessage[], settings: UndoSettings) =>
		planUndo(requests.state().log, { ...settings, ...look(asSent(messages), true) });

	return {
		/** The messages with large outputs as they are sent; see `createArrivals`. */
		asSent,
		/** Puts new limits for large outputs into force; see `createArrivals`. */
		admit,
		/** Counts a text with the session's counter, which remembers it. */
		count,
		/** Counts the messages that are new since the last call; ends when they and all earlier ones are counted. */
		countAhead(messages: readonly HostMessage[]): Promise<void> {
			const added = messages.slice(messages.length < ahead ? 0 : ahead);
			ahead = messages.length;
			const now = counting.then(() => countAhead(added.flatMap(countedTexts), count));
			// A message that cannot be read fails the request that it came with, and none after it.
			counting = now.catch(() => undefined);
			return now;
		},
		/** Any list of this session's messages under the present log, without what is `lost` next; makes no pass and changes nothing. */
		inspect(messages: readonly HostMessage[], isOn = true, lost?: Pass): Inspection {
			const sent = asSent(messages);
			// In a list of its own: one that is only inspected must not change what the next preview continues.
			const { log } = requests.state();
			const shown = look(sent, isOn, openList([]), lost ? [...log, lost] : log);
			const items = shown.graph.messages.flatMap((message, index) =>
				sent[index] === messages[index] ? [] : message.items,
			);
			return { ...shown, shortened: new Set(items.map(({ id }) => id)) };
		},
		/** Reads messages up to the next request; returns their state before a pass. */
		sync(messages: readonly HostMessage[]): Inspection {
			read(asSent(messages));
			return requests.state();
		},
		/**
		 * Projects the messages of the next request, making a pass first where the policy asks for one. While CWL is off, the request
		 * sends everything, except for thinking that a pass has made invalid.
		 */
		request(given: readonly HostMessage[], settings: RequestSettings, isOn = true) {
			const messages = asSent(given);
			const before = requests.state().view;
			const change = follow(messages, settings, isOn);
			const read = inputOf(requests, messages, settings);
			const input = change?.pass ? { ...read, view: afterLoss(before, read.view) } : read;
			const pass = isOn ? planPass(settings.policy, input) : undefined;
			if (pass && changesContext(pass)) requests.commit(pass);
			const view = shownView(input.graph, requests.state().view, isOn);
			return {
				messages: renderProjection(partsOf(requests, isOn), messages),
				/** The pass made for this request; without strips it only says why nothing could be done. */
				pass,
				/** The session as it is sent, and its tokens. */
				sent: { ...input, view },
				tokens: totalTokens({ graph: input.graph, view, fixed: settings.fixed }),
				/** To be written to the session file, before the pass; undefined if the request begins as the one before it. */
				change,
			};
		},
		/** The messages that a request would send now, without a pass. */
		preview(messages: readonly HostMessage[], isOn = true): HostMessage[] {
			const sent = asSent(messages);
			look(sent, isOn);
			return renderProjection(partsOf(looks, isOn), sent);
		},
		/** The input that a pass over these messages would be planned from; makes no pass. Valid until the next reading. */
		planInput(messages: readonly HostMessage[], settings: RequestSettings, isOn = true): NextInput {
			const sent = asSent(messages);
			look(sent, isOn);
			const input = inputOf(looks, sent, settings);
			const lost = lostNext(sent, input, isOn, settings.foldsChanges);
			const view = lost ? afterLoss(input.view, viewAfter(input.view, lost)) : input.view;
			return { ...input, lost, view: shownView(input.graph, view, isOn) };
		},
		/** The request before each answer, in a session that went like this; see `recountHistory`. */
		recount(
			history: Iterable<HistoryStep>,
			fixedOf: (isOn: boolean) => FixedTokens,
			changeOf?: (message: HostMessage) => number,
		): Generator<CountedAnswer> {
			const steps = [...history];
			const sent = asSent(steps.flatMap((step) => (step.type === "message" ? [step.message] : []))).values();
			const asRead = steps.map((step) =>
				step.type === "message" ? { ...step, message: sent.next().value ?? step.message } : step,
			);
			return recountHistory(
				createSession({ budget: Infinity, countTokens: countMarker, tools: defaultToolTable }),
				reader,
				asRead,
				fixedOf,
				changeOf,
			);
		},
		/** Adds a pass that a person asked for; the next request is the first without what it took. */
		append: (pass: Pass) => requests.commit(pass),
		/** Puts a person's descriptions in place of the model's. */
		describe(edited: Descriptions) {
			descriptions = edited;
			for (const session of [requests, looks]) session.configure({ descriptions });
		},
		planUndo: undoOf,
		/** Takes the last pass over these messages back: what it took is in the next request again, except for thinking. */
		undo(messages: readonly HostMessage[], settings: UndoSettings): Undone | undefined {
			const undone = undoOf(messages, settings);
			if (undone) requests.restore(undone.log);
			return undone;
		},
		/** Replaces the log, as after a resume, a fork or a move in the session tree. `last` is the prefix of the last request. */
		restore(log: readonly Pass[], last?: Prefix) {
			requests = openList(recounted(log));
			looks = openList([]);
			prefix = last;
			rewrittenAt = undefined;
		},
		/** The episode graph and what the log took from it, and the prefix, as of the last request; the prefix is undefined before the first. */
		state: () => ({ ...requests.state(), prefix }),
	};
}
