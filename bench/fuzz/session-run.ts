/** Runs one script: after each operation it sends a request and checks every rule on it. */
import { isDeepStrictEqual } from "node:util";
import { changesContext } from "#core/log";
import { type HostMessage, isAnswer, toolCallsOf } from "#pi/codec";
import { checkLoopThinking, checkOwnLoopThinking, checkStepsSigned } from "#testing/provider-rules";
import { bytes, reload } from "../../packages/pi/test-support/host-runs.ts";
import { loadLibrary } from "../pi-host.ts";
import { createThreadCheck } from "../strict/threads.ts";
import { judge } from "../strict/verdict.ts";
import { wires } from "../strict/wires.ts";
import type { Script } from "./any-script.ts";
import { losesSealed } from "./messages.ts";
import { createRuleChecker, createThinkingCheck } from "./rules.ts";
import { apply } from "./steps.ts";
import { checkRelearned, countByProvider } from "./usage.ts";
import { createWorld, open, type Sent, send, settingsOf, type World } from "./world.ts";

const { convertToLlm } = await loadLibrary();

/** `continued`: requests that bring only what is new to a message thread of Anthropic's. */
export const emptyCount = () => ({ sessions: 0, operations: 0, requests: 0, passes: 0, continued: 0 });

/**
 * Runs a script, which `count` then holds as well. Throws an error that names the first broken rule. With a model that binds
 * its thinking, the rules about the turn in progress give way to rule 19.
 */
export function runScript(script: Script, count = emptyCount()) {
	const world = createWorld(script);
	const thinking = script.bindsThinking ? createThinkingCheck() : undefined;
	const checkRules = createRuleChecker();
	const continuesThread = createThreadCheck();
	/** The last request that awaits an answer. */
	let last: HostMessage[] | undefined;
	for (const operation of script.operations) {
		apply(world, operation);
		const history = world.file.context();
		thinking?.seal(history, last);
		const sent = send(world);
		const messages = sent?.messages ?? [...history];
		last = awaitsAnswer(history) ? messages : undefined;
		if (sent) thinking?.check(messages);
		if (sent?.isManaged && !thinking) {
			checkRules(world, sent);
			checkWires(sent);
			count.continued += Number(continuesThread(wires[0].body(convertToLlm(messages))));
		}
		if (sent?.isManaged) checkRebuilt(world, sent);
		world.reported = countByProvider(world, sent);
		count.operations += 1;
		if (!(sent?.isManaged || thinking)) continue;
		count.requests += 1;
		count.passes += Number(sent?.isPass === true);
		Object.assign(world, { isCut: false, isRewound: false, isCold: false });
	}
	count.sessions += 1;
	return count;
}

/** Rules about signatures and thinking apply to the model's own calls only; calls of other models never had them. */
const ownWires = wires.map((wire) => ({
	...wire,
	rules: wire.rules.map((rule) => (rule === checkLoopThinking ? checkOwnLoopThinking : rule)),
}));

const next: HostMessage = { role: "user", content: "go on", timestamp: 0 };

function checkWires({ messages, history }: Sent) {
	const tail = awaitsAnswer(history) ? [] : [next];
	for (const wire of ownWires) {
		const verdict = judge(wire, [...messages, ...tail], [...history, ...tail]);
		if (!verdict || (verdict.rule === checkStepsSigned && hasForeignCalls(messages))) continue;
		if (verdict.rule === checkOwnLoopThinking && lostSealed(messages)) continue;
		throw new Error(`rule 2: ${verdict.wire} refuses: ${verdict.refusal.message}`);
	}
}

/** True if pi would send this history now. After an answer or a shell command of the user, it waits for the next message. */
function awaitsAnswer(history: readonly HostMessage[]): boolean {
	const role = history.at(-1)?.role;
	return role !== "assistant" && role !== "bashExecution";
}

/**
 * True if pi itself leaves out thinking without a text, as 0.73.1 does. Models that write it think adaptively, and may then
 * begin an answer without thinking.
 */
function lostSealed(messages: readonly HostMessage[]): boolean {
	const blocks = messages.filter(isAnswer).flatMap(({ content }) => content);
	return losesSealed && blocks.some((block) => block.type === "thinking" && block.thinking === "");
}

function hasForeignCalls(messages: readonly HostMessage[]): boolean {
	return messages
		.filter(isAnswer)
		.some((answer) => answer.provider !== "google" && toolCallsOf(answer).length > 0);
}

/** Checks that another process, which reads the same file, knows the same, and sends the same bytes without a pass of its own. */
function checkRebuilt(world: World, sent: Sent) {
	const again = { ...world, ...open(world.file.reload()), isCold: false };
	if (!isDeepStrictEqual(again.log, world.log))
		throw new Error("rule 10: a rebuilt session reads another log");
	const { messages, pass } = again.session.request(reload(again.file.context()), settingsOf(again));
	if (pass && changesContext(pass)) throw new Error("rule 10: a rebuilt session makes another pass");
	if (bytes(messages) !== bytes(sent.messages))
		throw new Error("rule 10: a rebuilt session sends other bytes");
	checkRelearned(again, sent);
}
