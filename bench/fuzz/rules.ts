/** What must hold of a request: the rules of the design, on what is sent and on what the log says of it. */
import { type Episode, foldLog, type Pass, type StripLevel, sentBy, type View } from "#core";
import { alignRequest, baseId, createRuleCheck, isSameMessage, type Violation } from "#lab";
import { changesContext, type HostMessage } from "#pi";
import { unreleased } from "./released.ts";
import type { Sent, World } from "./world.ts";

type Levels = ReadonlyMap<string, StripLevel>;

/** Checks the requests of a world one after the other; throws with the rule that is broken. */
export interface RuleKeeper {
	keep(world: World, sent: Sent): void;
}

export function createRuleKeeper(): RuleKeeper {
	let check = createRuleCheck();
	let previous:
		| {
				readonly sent: readonly HostMessage[];
				readonly leaf: string;
				readonly passes: number;
				readonly levels: Levels;
		  }
		| undefined;
	let index = 0;
	return {
		keep(world, sent) {
			const { graph, view, log } = world.session.state();
			const leaf = world.file.leaf() ?? "";
			if (world.isRewound || !goesOn(world.file, previous?.leaf)) {
				check = createRuleCheck();
				previous = undefined;
			}
			const history = sent.history;
			const messages = unreleased(history, sent.messages, graph, view);
			// By this request, by hand, or on the way to another place of the session tree.
			const passes =
				previous?.passes ?? log.length - Number(sent.pass !== undefined && changesContext(sent.pass));
			const pass = log.length !== passes ? log.at(-1) : undefined;
			const violations = check({
				index: index++,
				history,
				messages,
				pass,
				alignment: alignRequest(history, messages),
				fits: view.passes === 0 && sent.tokens <= sent.settings.budget,
				isExtension: begins(sent.messages, previous?.sent ?? []),
			});
			report(
				history,
				violations.filter((violation) => !isExcused(violation, world)),
			);
			keepsTurn(world, sent, messages);
			keepsSizes(world, sent);
			if (previous) levelsRise(previous.levels, view);
			keepsFailures(world, history);
			if (sent.pass) keepsDependencies(world, sent.pass);
			const levels = new Map([...view.episodes].map(([id, { level }]) => [id, level]));
			previous = { sent: sent.messages, leaf, passes: log.length, levels };
		},
	};
}

/** Whether the branch goes on from an earlier leaf, with nothing left out by a compaction since. */
function goesOn(file: World["file"], leaf: string | undefined): boolean {
	const branch = file.branch();
	const at = branch.findIndex(({ id }) => id === leaf);
	return at >= 0 && !branch.slice(at + 1).some(({ type }) => type === "compaction");
}

/** A person's own words may make a line longer, and what pi's compaction made a prologue may have left before. */
function isExcused({ rule }: Violation, { byHand, file, session }: World): boolean {
	if (rule === "pass") return byHand !== undefined;
	return rule === "prologue" && hasForgotten(file, session);
}

/** Whether pi compacted a session of which something had left: what is first or last now was neither then. */
function hasForgotten(file: World["file"], session: World["session"]): boolean {
	return session.state().log.length > 0 && file.branch().some(({ type }) => type === "compaction");
}

function fail(rule: string, detail: string): never {
	throw new Error(`${rule}: ${detail}`);
}

function begins(messages: readonly HostMessage[], earlier: readonly HostMessage[]): boolean {
	return earlier.every((message, at) => {
		const now = messages[at];
		return now !== undefined && isSameMessage(message, now);
	});
}

/** A pair that shares its id with another one cannot be told from it by what is sent. */
function report(history: readonly HostMessage[], violations: readonly Violation[]) {
	const [first] = violations.filter(({ rule }) => rule !== "pairs" || !hasDoubles(history));
	if (first) fail(`rule "${first.rule}"`, first.detail);
}

function hasDoubles(history: readonly HostMessage[]): boolean {
	const calls = history.flatMap((message) =>
		message.role === "assistant"
			? message.content.flatMap((block) => (block.type === "toolCall" ? [baseId(block.id)] : []))
			: [],
	);
	const results = history.flatMap((message) =>
		message.role === "toolResult" ? [baseId(message.toolCallId)] : [],
	);
	return new Set(calls).size < calls.length || new Set(results).size < results.length;
}

function keepsTurn({ session, file }: World, { history }: Sent, messages: readonly HostMessage[]) {
	const { lastExchange } = session.state().graph;
	if (lastExchange < 0 || hasForgotten(file, session)) return;
	const rest = history.slice(lastExchange);
	const tail = new Set(messages);
	const lost = rest.find((message) => !tail.has(message));
	if (lost) fail("rule 4", `a ${lost.role} message of the exchange in progress is gone or changed`);
	if (beginsWithThought(history) && !beginsWithThought(messages)) {
		fail("rule 4", "the tool loop in progress began with reasoning and does no more");
	}
}

/**
 * Whether the tool loop at the end of a list begins with reasoning that led to a call. A message of anybody else begins a
 * loop; after a summary pi asks nobody before somebody speaks, and it sends no answer that failed.
 */
function beginsWithThought(messages: readonly HostMessage[]): boolean {
	const before = messages.findLastIndex((message) => !isWork(message));
	if (messages[before]?.role === "branchSummary" || messages[before]?.role === "compactionSummary")
		return false;
	const loop = messages.slice(before + 1);
	const answers = loop.filter((message) => message.role === "assistant");
	const first = answers.find((answer) => isSent(answer) && says(answer).length > 0);
	const said = first ? says(first) : [];
	return said[0]?.type === "thinking" && said.some(({ type }) => type === "toolCall");
}

function isSent({ stopReason }: Answer): boolean {
	return stopReason !== "error" && stopReason !== "aborted";
}

/** Of what a person keeps from the model nothing is sent. */
function isWork(message: HostMessage): boolean {
	if (message.role === "bashExecution") return message.excludeFromContext === true;
	return message.role === "assistant" || message.role === "toolResult";
}

type Answer = HostMessage & { readonly role: "assistant" };

/** What an answer says that is not blank. */
function says({ content }: Answer): Answer["content"] {
	return content.filter((block) => {
		if (block.type === "text") return block.text.trim() !== "";
		return block.type !== "thinking" || block.redacted || block.thinking.trim() !== "";
	});
}
/** Rules 8 and 9, in tokens. */
function keepsSizes({ session }: World, { messages, pass, tokens, settings }: Sent) {
	const { budget, fixed } = settings;
	const blockers = pass?.blockers ?? [];
	if (tokens > budget && blockers.length === 0)
		fail("rule 8", `${tokens} of ${budget} tokens and no blocker`);
	if (pass && pass.after <= budget && blockers.length > 0) fail("rule 8", "blockers below the budget");
	if (pass && pass.after > pass.before) fail("rule 9", `a pass from ${pass.before} to ${pass.after} tokens`);
	if (pass && pass.after !== tokens)
		fail("rule 9", `a pass says ${pass.after} tokens, the request ${tokens}`);
	const size = session.read(messages).graph.tokens + fixed.system + fixed.tools;
	if (size > tokens) fail("rule 8", `a request of ${size} tokens was counted as ${tokens}`);
	const named = blockers.reduce((sum, blocker) => sum + blocker.tokens, 0);
	if (pass && blockers.length > 0 && named !== pass.after)
		fail("rule 8", `blockers of ${named} tokens in ${pass.after}`);
}

function levelsRise(before: Levels, { episodes }: View) {
	for (const [id, level] of before) {
		const now = episodes.get(id)?.level ?? 0;
		if (now < level) fail("rule 7", `episode ${JSON.stringify(id)} fell from level ${level} to ${now}`);
	}
}

function keepsFailures({ session, file }: World, history: readonly HostMessage[]) {
	const { graph, view, log } = session.state();
	// The default policy takes failed calls as a last resort.
	if (hasForgotten(file, session) || hasDoubles(history) || log.some(({ policy }) => policy !== "paper"))
		return;
	const isSent = sentBy(graph, view);
	for (const { id, name, items } of graph.episodes) {
		if (view.episodes.get(id)?.level === 4) continue;
		const lost = items.some((item) => item.type === "result" && item.isError && !isSent(item));
		if (lost) fail("rule 13", `a failed call of ${JSON.stringify(name)} is gone before its episode`);
	}
}

function keepsDependencies({ session }: World, pass: Pass) {
	const { graph, view, log } = session.state();
	// An act may declare an expl that has left already.
	const before = foldLog(log.slice(0, -1)).episodes;
	const holders = (id: string): readonly Episode[] =>
		graph.episodes.filter(({ dependencies }) => dependencies.includes(id));
	for (const { episode, level, items } of pass.strips) {
		if (level !== 4 || items.length === 0 || before.get(episode)?.level === 4) continue;
		const holder = holders(episode).find(({ id }) => view.episodes.get(id)?.level !== 4);
		if (holder) fail("rule 5", `${JSON.stringify(episode)} left before ${JSON.stringify(holder.name)}`);
	}
}
