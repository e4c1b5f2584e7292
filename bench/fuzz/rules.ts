/** The rules of the design, checked on each request and on the log entry that goes with it. */
import type { Graph } from "#core/graph";
import { type View, viewOfLog } from "#core/log";
import { MANUAL_PASS } from "#core/planning";
import { cutMessage, type HostMessage, hasFailed, toolCallsOf } from "#pi/codec";
import { alignRequest, baseId, createPrefixMeter, createRuleCheck, type Violation } from "#replay/metrics";
import * as rules from "../../packages/core/test-support/rule-checks.ts";
import { createSealCheck, type Piece } from "../../packages/core/test-support/thinking-check.ts";
import type { Sent, World } from "./world.ts";

type Messages = readonly HostMessage[];

/** The state that the last request left. */
interface Checked {
	readonly leaf: string | undefined;
	readonly passes: number;
	readonly view: View;
}

/** Checks the requests of a world in order; throws an error that names the broken rule. */
export function createRuleChecker(): (world: World, sent: Sent) => void {
	const begin = () => ({ check: createRuleCheck(), measure: createPrefixMeter(() => []) });
	let replay = begin();
	let previous: Checked | undefined;
	return (world, sent) => {
		if (world.isRewound || !continuesFrom(world.file, previous?.leaf)) {
			replay = begin();
			previous = undefined;
		}
		const { graph, view, log } = world.session.state();
		const { history, settings, tokens } = sent;
		const messages = unreleased(history, sent.messages, graph, view);
		const violations = replay.check({
			history,
			messages,
			index: 0,
			// The pass may come from this request, from the user, or from a move in the session tree.
			pass: log.length !== (previous?.passes ?? log.length - Number(sent.isPass)) ? log.at(-1) : undefined,
			alignment: alignRequest(history, messages),
			fits: view.passes === 0 && tokens <= settings.budget,
			isExtension: replay.measure(sent.messages).isExtension,
		});
		refuse(
			"replay",
			violations.filter((violation) => !isExcused(violation, world, history)),
		);
		refuse("7, shows more again", previous ? rules.fellBack(previous.view, view) : []);
		checkSizes(world, sent);
		checkKept(world, history, messages);
		checkPass(world, sent);
		previous = { leaf: world.file.leaf(), passes: log.length, view };
	};
}

/** Throws an error with the first fault, if there is one. */
function refuse(rule: string, faults: readonly unknown[]) {
	if (faults.length > 0) throw new Error(`rule ${rule}: ${JSON.stringify(faults[0])}`);
}

/**
 * True if the branch continues from an earlier leaf and no compaction has dropped anything since. A move may lead between the
 * results of one answer, where pi sends no request: results that share a room are then shortened less.
 */
function continuesFrom(file: World["file"], leaf: string | undefined): boolean {
	const branch = file.branch();
	const at = branch.findIndex(({ id }) => id === leaf);
	const since = branch.slice(at + 1);
	const next = since.find((entry) => entry.type === "message");
	return at >= 0 && next?.message.role !== "toolResult" && !since.some(({ type }) => type === "compaction");
}

/**
 * The user's own description may make a marker line longer. A message that compaction turned into the prologue may have been
 * evicted before. Two calls with one id cannot be told apart in a request, so the rule about pairs does not apply to them.
 */
function isExcused({ rule }: Violation, world: World, history: Messages): boolean {
	const { log } = world.session.state();
	// A move may lead to where the user made it.
	if (rule === "pass") return world.isCut || log.at(-1)?.policy === MANUAL_PASS;
	if (rule === "pairs") return hasDoubles(history);
	return rule === "prologue" && wasCompactedAfterEviction(world);
}

/** True if pi compacted a session after an eviction: its first and last messages are then no longer the ones the log knew. */
function wasCompactedAfterEviction({ file, session }: World): boolean {
	return session.state().log.length > 0 && file.branch().some(({ type }) => type === "compaction");
}

function hasDoubles(history: Messages): boolean {
	const calls = history.flatMap(toolCallsOf).map(({ id }) => baseId(id));
	const results = history.flatMap((message) =>
		message.role === "toolResult" ? baseId(message.toolCallId) : [],
	);
	return [calls, results].some((ids) => new Set(ids).size < ids.length);
}

function checkSizes({ session }: World, { messages, pass, tokens, settings }: Sent) {
	const { budget, fixed } = settings;
	const size = session.inspect(messages).graph.tokens + fixed.system + fixed.tools;
	refuse("8 or 9", rules.wrongSizes(tokens, size, budget, pass));
}

/** The exchange in progress, and failed calls. */
function checkKept(world: World, history: Messages, messages: Messages) {
	if (wasCompactedAfterEviction(world)) return;
	const { graph, view, log } = world.session.state();
	const sent = new Set(messages);
	const exchange = history.slice(graph.lastExchange);
	refuse(
		"4, gone or changed",
		exchange.filter((message) => !sent.has(message)),
	);
	// The default policy takes failed calls as a last resort, and Algorithm 1 with their kind.
	const keepsFailures = log.every(({ policy }) => policy === "paper-adapted") && !hasDoubles(history);
	if (keepsFailures) refuse("13, a failed call is gone before its episode", rules.lostFailures(graph, view));
}

/** In characters, as all sizes here: a line is shorter, so what left pays for it. */
const LONGEST_LINE = 2_500;

function checkPass({ session, settings }: World, { pass }: Sent) {
	if (!pass) return;
	const { graph, view, log } = session.state();
	const before = viewOfLog(log.slice(0, -1)).episodes;
	refuse("5, left before", rules.leftTooEarly(graph, before, view.episodes, pass));
	if (pass.policy.startsWith("paper")) return;
	refuse("of lines, words without one", rules.silentlyLeft(graph, view, pass));
	// A reduced output frees less than a line takes.
	if (settings.fading === "off" && log.every(({ reductions = [] }) => reductions.length === 0))
		refuse("of lines, outputs without one", rules.unnamedOutputs(graph, view, pass, LONGEST_LINE));
}

/** Undoes releases in a request, so that the other rules can check that every user message is still there. */
function unreleased(
	history: Messages,
	messages: Messages,
	{ prologue, userMessages }: Graph,
	{ released }: View,
): Messages {
	if (released.size === 0) return messages;
	const originals = new Map<string, HostMessage>();
	for (const { id, message } of [...prologue, ...userMessages]) {
		const release = released.get(id);
		const original = history[message];
		if (release && original) originals.set(JSON.stringify(cutMessage(original, release)), original);
	}
	return messages.map((message) => originals.get(JSON.stringify(message)) ?? message);
}

/** Rule 19 on pi's messages: no request sends thinking that is bound to another history. */
export function createThinkingCheck() {
	// A script may write answers where pi sends no request: no provider made them.
	const seals = createSealCheck(true);
	const sealed = new Set<string | undefined>();
	return {
		check: (messages: Messages) => refuse("19, behind another history", seals.stale(piecesOf(messages))),
		/** Seals the answers that an operation wrote: they answer `sent`, undefined where pi sends no request. */
		seal(history: Messages, sent: Messages | undefined) {
			for (const message of history) {
				if (message.role !== "assistant" || sealed.has(message.responseId)) continue;
				sealed.add(message.responseId);
				if (sent) seals.seal(piecesOf([...sent, message]));
			}
		},
	};
}

function piecesOf(messages: Messages): readonly Piece[] {
	return messages.flatMap((message): readonly Piece[] => {
		const { timestamp: _, ...said } = message;
		if (message.role !== "assistant") return [{ text: JSON.stringify(said), isThinking: false }];
		// pi sends no answer that failed.
		if (hasFailed(message)) return [];
		let thought = 0;
		return message.content.map((block) =>
			block.type === "thinking"
				? { text: `${message.responseId}.${thought++} ${block.thinking}`, isThinking: true }
				: { text: `${message.responseId} ${JSON.stringify(block)}`, isThinking: false },
		);
	});
}
