/** The rules of the design, checked on each request and on the log entry that goes with it. */
import type { EpisodeId, Graph } from "#core/graph";
import { changesContext, type Pass, type View, viewOfLog } from "#core/log";
import { MANUAL_PASS } from "#core/planning";
import { sentBy } from "#core/projection";
import { cutMessage, type HostMessage, toolCallsOf } from "#pi/codec";
import { alignRequest, baseId, createRuleCheck, isSameMessage, type Violation } from "#replay/metrics";
import { fellBack, type Levels, leftTooEarly } from "../../packages/core/test-support/rule-checks.ts";
import { createSealCheck, type Piece } from "../../packages/core/test-support/thinking-check.ts";
import type { Sent, World } from "./world.ts";

/** A request that was checked, and the state that it left. */
interface Checked {
	readonly sent: readonly HostMessage[];
	readonly leaf: string;
	readonly passes: number;
	readonly levels: Levels;
}

/** Checks the requests of a world in order; throws an error that names the broken rule. */
export function createRuleChecker(): (world: World, sent: Sent) => void {
	let checkReplay = createRuleCheck();
	let previous: Checked | undefined;
	let index = 0;
	return (world, sent) => {
		const { graph, view, log } = world.session.state();
		if (world.isRewound || !continuesFrom(world.file, previous?.leaf)) {
			checkReplay = createRuleCheck();
			previous = undefined;
		}
		const { history } = sent;
		const messages = unreleased(history, sent.messages, graph, view);
		// The pass may come from this request, from the user, or from a move in the session tree.
		const passes =
			previous?.passes ?? log.length - Number(sent.pass !== undefined && changesContext(sent.pass));
		const violations = checkReplay({
			history,
			messages,
			index: index++,
			pass: log.length !== passes ? log.at(-1) : undefined,
			alignment: alignRequest(history, messages),
			fits: view.passes === 0 && sent.tokens <= sent.settings.budget,
			isExtension: startsWith(sent.messages, previous?.sent ?? []),
		});
		const broken = violations.find((violation) => !isExcused(violation, world, history));
		if (broken) fail(`rule "${broken.rule}"`, broken.detail);
		checkTurn(world, sent, messages);
		checkSizes(world, sent);
		const [back] = previous ? fellBack(previous.levels, view) : [];
		if (back !== undefined) fail("rule 7", `${JSON.stringify(back)} shows more again`);
		checkFailures(world, history);
		if (sent.pass) {
			const before = viewOfLog(log.slice(0, -1)).episodes;
			const [early] = leftTooEarly(graph, before, view.episodes, sent.pass);
			if (early) fail("rule 5", `${early.map((id) => JSON.stringify(id)).join(" left before ")}`);
			checkLines(world, sent.pass);
		}
		const episodes = new Map([...view.episodes].map(([id, { level }]) => [id, { level }]));
		const levels = { episodes, reduced: new Map(view.reduced) };
		previous = { sent: sent.messages, leaf: world.file.leaf() ?? "", passes: log.length, levels };
	};
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
function isExcused({ rule }: Violation, world: World, history: readonly HostMessage[]): boolean {
	const { log } = world.session.state();
	// A move may lead to where the user made it.
	if (rule === "pass") return world.userPass !== undefined || log.at(-1)?.policy === MANUAL_PASS;
	if (rule === "pairs") return hasDoubles(history);
	return rule === "prologue" && wasCompactedAfterEviction(world);
}

/** True if pi compacted a session after an eviction: its first and last messages are then no longer the ones the log knew. */
function wasCompactedAfterEviction({ file, session }: World): boolean {
	return session.state().log.length > 0 && file.branch().some(({ type }) => type === "compaction");
}

function fail(rule: string, detail: string): never {
	throw new Error(`${rule}: ${detail}`);
}

function startsWith(messages: readonly HostMessage[], earlier: readonly HostMessage[]): boolean {
	return earlier.every((message, at) => {
		const now = messages[at];
		return now !== undefined && isSameMessage(message, now);
	});
}

function hasDoubles(history: readonly HostMessage[]): boolean {
	const calls = history.flatMap(toolCallsOf).map(({ id }) => baseId(id));
	const results = history.flatMap((message) =>
		message.role === "toolResult" ? [baseId(message.toolCallId)] : [],
	);
	return [calls, results].some((ids) => new Set(ids).size < ids.length);
}

function checkTurn(world: World, { history }: Sent, messages: readonly HostMessage[]) {
	const { lastExchange } = world.session.state().graph;
	if (lastExchange < 0 || wasCompactedAfterEviction(world)) return;
	const rest = history.slice(lastExchange);
	const tail = new Set(messages);
	const lost = rest.find((message) => !tail.has(message));
	if (lost) fail("rule 4", `a ${lost.role} message of the exchange in progress is gone or changed`);
}

/** Rules 8 and 9, in tokens. */
function checkSizes({ session }: World, { messages, pass, tokens, settings }: Sent) {
	const { budget, fixed } = settings;
	const blockers = pass?.blockers ?? [];
	if (tokens > budget && blockers.length === 0)
		fail("rule 8", `${tokens} of ${budget} tokens and no blocker`);
	if (pass && pass.after <= budget && blockers.length > 0) fail("rule 8", "blockers below the budget");
	if (pass && pass.after > pass.before) fail("rule 9", `a pass from ${pass.before} to ${pass.after} tokens`);
	if (pass && pass.after !== tokens)
		fail("rule 9", `a pass says ${pass.after} tokens, the request ${tokens}`);
	const size = session.inspect(messages).graph.tokens + fixed.system + fixed.tools;
	if (size > tokens) fail("rule 8", `a request of ${size} tokens was counted as ${tokens}`);
	const named = blockers.reduce((sum, blocker) => sum + blocker.tokens, 0);
	if (pass && blockers.length > 0 && named !== pass.after)
		fail("rule 8", `blockers of ${named} tokens in ${pass.after}`);
}

function checkFailures(world: World, history: readonly HostMessage[]) {
	const { graph, view, log } = world.session.state();
	// The default policy takes failed calls as a last resort, and Algorithm 1 with their kind.
	if (log.some(({ policy }) => policy !== "paper-adapted")) return;
	if (wasCompactedAfterEviction(world) || hasDoubles(history)) return;
	const isSent = sentBy(graph, view);
	for (const { id, name, items } of graph.episodes) {
		if (view.episodes.get(id)?.level === 4) continue;
		const lost = items.some((item) => item.type === "result" && item.isError && !isSent(item));
		if (lost) fail("rule 13", `a failed call of ${JSON.stringify(name)} is gone before its episode`);
	}
}

/** In characters, as all sizes here: a line is shorter, so what left pays for it. */
const LONGEST_LINE = 2_500;

function checkLines(world: World, pass: Pass) {
	const { graph, view, log } = world.session.state();
	if (pass.policy.startsWith("paper")) return;
	const isNamed = (id: EpisodeId) =>
		view.episodes.get(id)?.marker !== undefined ||
		view.indexLines.some(({ episodes }) => episodes.includes(id));
	checkWords(graph, pass, isNamed);
	// A reduced output frees less than a line takes.
	const hasFaded = world.fading !== "off" || log.some(({ reductions = [] }) => reductions.length > 0);
	if (hasFaded) return;
	const unmarked = new Set(graph.episodes.flatMap(({ id, origin }) => (origin === "inferred" ? [id] : [])));
	for (const { episode, items } of pass.strips) {
		const outputs = items.reduce((sum, id) => sum + (graph.resultOf.get(id)?.tokens ?? 0), 0);
		if (!unmarked.has(episode) || outputs < LONGEST_LINE) continue;
		if (!isNamed(episode)) fail("a line for what left", `none for calls of ${JSON.stringify(episode)}`);
	}
}

/** The agent's words leave without a line only where nothing else meets the budget. */
function checkWords(
	{ messages }: Graph,
	{ strips, before, budget }: Pass,
	isNamed: (id: EpisodeId) => boolean,
) {
	if (before > budget) return;
	const words = new Set(
		messages.flatMap(({ items }) =>
			items.flatMap((item) => (item.type === "text" && item.isBlank !== true ? [item.id] : [])),
		),
	);
	const silent = strips.find(({ episode, items }) => !isNamed(episode) && items.some((id) => words.has(id)));
	if (silent) fail("a line for what left", `none for words of ${JSON.stringify(silent.episode)}`);
}

/** Undoes releases in a request, so that the other rules can check that every user message is still there. */
function unreleased(
	history: readonly HostMessage[],
	messages: readonly HostMessage[],
	{ prologue, userMessages }: Graph,
	{ released }: View,
): readonly HostMessage[] {
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
		check(messages: readonly HostMessage[]) {
			const [block] = seals.stale(piecesOf(messages));
			if (block !== undefined) fail("rule 19", `thinking ${block} is sent behind another history`);
		},
		/** Seals the answers that an operation wrote: they answer `sent`, undefined where pi sends no request. */
		seal({ file }: World, sent: readonly HostMessage[] | undefined) {
			for (const message of file.context()) {
				if (message.role !== "assistant" || sealed.has(message.responseId)) continue;
				sealed.add(message.responseId);
				if (sent) seals.seal(piecesOf([...sent, message]));
			}
		},
	};
}

function piecesOf(messages: readonly HostMessage[]): readonly Piece[] {
	return messages.flatMap((message): readonly Piece[] => {
		const { timestamp: _, ...said } = message;
		if (message.role !== "assistant") return [{ text: JSON.stringify(said), isThinking: false }];
		// pi sends no answer that failed.
		if (/error|aborted/.test(message.stopReason)) return [];
		let thought = 0;
		return message.content.map((block) =>
			block.type === "thinking"
				? { text: `${message.responseId}.${thought++} ${block.thinking}`, isThinking: true }
				: { text: `${message.responseId} ${JSON.stringify(block)}`, isThinking: false },
		);
	});
}
