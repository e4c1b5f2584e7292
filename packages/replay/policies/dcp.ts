/**
 * The deterministic strategies of opencode-dynamic-context-pruning (its README): of repeated calls only the newest output
 * stays; the text that a call wrote into a file leaves once the file is read again; the arguments of a failed call leave after
 * some user turns. They run at every request whatever the budget. What the model prunes itself needs a model.
 */
import { effectOf } from "#core/transcript";
import { defaultToolTable, digestArguments, type HostMessage } from "#pi";
import { defineKind } from "./knobs.ts";
import { type Call, omitLongArguments, omitOutput } from "./shortened-output.ts";

/** `turns`: user turns after which the arguments of a failed call leave. */
export const dcp = defineKind("dcp", { turns: 4 }, (name, { turns }) => ({
	name,
	exempt: ["identity", "prefix"],
	open() {
		const prune = createPruning();
		return (history) => {
			const found = findPrunable(history, turns);
			const messages = history.map((message) => prune(message, found));
			return { messages, pass: undefined };
		};
	},
}));

interface Prunable {
	/** Ids of the calls whose output leaves, and of those whose arguments do. */
	readonly outputs: ReadonlySet<string>;
	readonly inputs: ReadonlySet<string>;
}

function findPrunable(history: readonly HostMessage[], turns: number): Prunable {
	const [outputs, inputs] = [new Set<string>(), new Set<string>()];
	const newest = new Map<string, string>();
	const written = new Map<string, string[]>();
	const failed = new Map<string, number>();
	let turn = 0;
	for (const message of history) {
		if (message.role === "user") turn += 1;
		if (message.role === "toolResult" && message.isError) failed.set(message.toolCallId, turn);
		if (message.role !== "assistant") continue;
		for (const call of message.content) {
			if (call.type !== "toolCall") continue;
			const key = `${call.name} ${JSON.stringify(call.arguments)}`;
			const earlier = newest.get(key);
			if (earlier !== undefined) outputs.add(earlier);
			newest.set(key, call.id);
			followFiles(call, written, inputs);
		}
	}
	for (const [id, at] of failed) if (turn - at >= turns) inputs.add(id);
	return { outputs, inputs };
}

/** A read makes the earlier writes of its files superfluous. */
function followFiles(call: Call, written: Map<string, string[]>, inputs: Set<string>) {
	const isWrite = effectOf(defaultToolTable, call.name, call.arguments) === "writes";
	for (const file of digestArguments(call.arguments).paths) {
		const writes = written.get(file) ?? [];
		if (isWrite) written.set(file, [...writes, call.id]);
		else for (const id of writes) inputs.add(id);
	}
}

/** Prunes messages; the same object answers for the same message and calls, so that it is counted once. */
function createPruning() {
	const pruned = new Map<HostMessage, { readonly calls: number; readonly message: HostMessage }>();
	return (message: HostMessage, { outputs, inputs }: Prunable): HostMessage => {
		const calls =
			message.role === "toolResult"
				? Number(outputs.has(message.toolCallId))
				: message.role === "assistant"
					? message.content.filter((block) => block.type === "toolCall" && inputs.has(block.id)).length
					: 0;
		if (calls === 0) return message;
		const known = pruned.get(message);
		if (known?.calls === calls) return known.message;
		const short = shorten(message, inputs);
		pruned.set(message, { calls, message: short });
		return short;
	};
}

function shorten(message: HostMessage, inputs: ReadonlySet<string>): HostMessage {
	if (message.role === "toolResult") return omitOutput(message);
	if (message.role !== "assistant") return message;
	const content = message.content.map((block) =>
		block.type === "toolCall" && inputs.has(block.id) ? omitLongArguments(block) : block,
	);
	return { ...message, content };
}
