/** One script from its beginning to its end: after each operation a request, and everything that must hold of it. */

import { checkLoopThinking, checkOwnLoopThinking, checkStepsSigned } from "#loopback";
import { changesContext, type HostMessage } from "#pi";
import { judge } from "../strict/verdict.ts";
import { wires } from "../strict/wires.ts";
import type { Script } from "./operations.ts";
import { createRuleKeeper } from "./rules.ts";
import { apply } from "./steps.ts";
import { createWorld, restoreFrom, type Sent, send, settingsOf, type World } from "./world.ts";

/** What a run came to, summed up over its operations. */
export interface RunCount {
	readonly operations: number;
	readonly requests: number;
	readonly passes: number;
}

/** Throws an error that names the rule as soon as one is broken. */
export function runScript(script: Script): RunCount {
	const world = createWorld(script);
	const keeper = createRuleKeeper();
	const checkWires = createWireCheck();
	const checkRebuilt = createRebuildCheck();
	let requests = 0;
	let passes = 0;
	for (const operation of script.operations) {
		apply(world, operation);
		const sent = send(world);
		if (!sent) continue;
		keeper.keep(world, sent);
		checkWires(world, sent);
		checkRebuilt(world, sent);
		requests += 1;
		if (sent.pass && changesContext(sent.pass)) passes += 1;
		world.byHand = undefined;
		world.isRewound = false;
		world.isCold = false;
	}
	return { operations: script.operations.length, requests, passes };
}

/** Signatures and thinking are asked of the model's own calls only: of others' there never were any. */
const ownRules = new Map([[checkLoopThinking, checkOwnLoopThinking]]);
const ownWires = wires.map((wire) => ({
	...wire,
	rules: wire.rules.map((rule) => ownRules.get(rule) ?? rule),
}));

const next: HostMessage = { role: "user", content: "go on", timestamp: 0 };

/** One request from one leaf is asked about once. */
function createWireCheck(): (world: World, sent: Sent) => void {
	const asked = new Set<string>();
	return ({ file }, { messages, history }) => {
		const tail = isAsked(history) ? [] : [next];
		const request = [...messages, ...tail];
		const name = `${file.leaf()} ${bytes(request)}`;
		if (asked.has(name)) return;
		for (const wire of ownWires) {
			const verdict = judge(wire, request, [...history, ...tail]);
			if (!verdict || (verdict.rule === checkStepsSigned && hasForeignCalls(messages))) continue;
			throw new Error(`rule 2: ${verdict.wire} refuses: ${verdict.refusal.message}`);
		}
		asked.add(name);
	};
}

/** After an answer, and after what a person ran in a shell, pi sends nothing before somebody speaks. */
function isAsked(history: readonly HostMessage[]): boolean {
	const role = history.at(-1)?.role;
	return role !== "assistant" && role !== "bashExecution";
}

function hasForeignCalls(messages: readonly HostMessage[]): boolean {
	return messages.some(
		(message) =>
			message.role === "assistant" &&
			message.provider !== "google" &&
			message.content.some(({ type }) => type === "toolCall"),
	);
}

/**
 * Another process finds the same session in the file and sends the same bytes, without a pass of its own. What it finds
 * on a branch never changes, so each leaf is read once.
 */
function createRebuildCheck(): (world: World, sent: Sent) => void {
	const rebuilt = new Map<string, string>();
	return (world, { messages }) => {
		const leaf = world.file.leaf() ?? "";
		const again = rebuilt.get(leaf) ?? rebuild(world);
		rebuilt.set(leaf, again);
		if (again !== bytes(messages)) throw new Error("rule 10: a rebuilt session sends other bytes");
	};
}

function rebuild(world: World): string {
	const file = world.file.reopen(world.file.leaf());
	const { session, log, steering } = restoreFrom(file, world.defaults);
	const settings = settingsOf({ ...world, log, steering, isCold: false });
	const { messages, pass } = session.request(file.context().map(moveCustom), settings);
	if (pass && changesContext(pass)) throw new Error("rule 10: a rebuilt session makes another pass");
	return bytes(messages);
}

/** The time of a custom message changes when it is read back. */
function moveCustom(message: HostMessage): HostMessage {
	return message.role === "custom" ? { ...message, timestamp: message.timestamp + 7 } : message;
}

function bytes(messages: readonly HostMessage[]): string {
	return JSON.stringify(messages.map(({ timestamp: _, ...message }) => message));
}
