/** The messages of a session as pi stores them: answers in the shapes of four APIs with the results of their calls, and user turns. */
import { advanceProtocol, DELIMITER, decideDelimiter, type ProtocolState } from "#core/annotation";
import type { HostMessage } from "#pi/codec";
import { baseId } from "#replay/metrics";
import { modelReply } from "#replay/readers";
import { itemId, reasoningId, signUnbound } from "#testing";
import * as make from "../../packages/pi/test-support/host-messages.ts";
import { loadLibrary } from "../pi-host.ts";
import type { Wire } from "../strict/wires.ts";
import { type Block, choose, episodeName, type Of, pickFrom, textOf, type Use, uses } from "./script.ts";
import type { EntryBody } from "./session-file.ts";
import { type World, write } from "./world.ts";

const { VERSION } = await loadLibrary();

type Answer = HostMessage & { readonly role: "assistant" };
type AnswerBlock = Answer["content"][number];

interface Reasoning {
	readonly type: "thinking" | "sealed" | "redacted";
	readonly text: string;
}

/** A call with its result, and the fate of that. */
interface Call extends Use, Pick<Extract<Block, { readonly type: "call" }>, "fate" | "sameId" | "hasImage"> {
	readonly type: "call";
	readonly output: string;
}

/** The content of one block of an answer. */
type Said = Reasoning | Call | { readonly type: "text"; readonly text: string };

const plainCall = { type: "call", fate: "comes", output: "ok", sameId: false, hasImage: false } as const;

const stops = { well: "toolUse", aborted: "aborted", error: "error", length: "length" } as const;

/** Appends an answer and, where it was not cut short, its results: the delimiter's as the extension gives them. */
export function writeBatch(world: World, { blocks, ending, steers }: Of<"batch">) {
	writeAnswer(world, planBlocks(world, blocks), ending, steers);
}

/** Appends a call of `recall` and its answer. */
export function writeRecall(world: World, query: string, text: string) {
	writeAnswer(world, [{ ...plainCall, tool: "recall", args: { query }, output: text }], "well", false);
}

function writeAnswer(world: World, said: readonly Said[], ending: keyof typeof stops, steers: boolean) {
	const answer = makeAnswer(world, said, stops[ending]);
	write(world, { type: "message", message: answer });
	if (ending === "aborted" || ending === "error") return;
	const calls = said.filter((block) => block.type === "call");
	const made = answer.content.filter((block) => block.type === "toolCall");
	const results = calls.map((call, index) => ({
		fate: call.fate,
		message: makeResult(world, call, made[index]),
	}));
	for (const { fate, message } of results) {
		if (fate !== "missing" && fate !== "late") write(world, { type: "message", message });
		if (fate === "twice") write(world, { type: "message", message });
	}
	const late = results.filter(({ fate }) => fate === "late");
	if (!steers && late.length === 0) return;
	write(world, { type: "message", message: make.user("wait", tick(world)) });
	for (const { message } of late) write(world, { type: "message", message });
}

/** Messages of one batch often share their time. */
function tick(world: World): number {
	world.clock += world.answers % 3 === 0 ? 0 : 1;
	return world.clock;
}

function makeResult(world: World, { output, fate, hasImage, tool }: Call, made?: { readonly id: string }) {
	const text = make.words(output);
	const content = hasImage ? [text, make.image] : [text];
	return { ...make.result(made?.id ?? "", content, tick(world), fate === "fails"), toolName: tool };
}

function planBlocks(world: World, blocks: readonly Block[]): readonly Said[] {
	let protocol = world.protocol;
	return blocks.map((block): Said => {
		if (block.type === "call")
			return { ...block, ...choose(uses, block.tool), output: textOf(block.size, block.flavour) };
		if (block.type !== "mark") return { type: block.type, text: textOf(block.size, block.flavour) };
		if (!world.steering.enabled) return { type: "text", text: "off" };
		const args = markOf(world, protocol, block);
		const call = { ...plainCall, tool: DELIMITER, args };
		const decision = decideDelimiter(protocol, args);
		if (decision.type === "rejected") return { ...call, fate: "fails", output: decision.message };
		protocol = advanceProtocol(protocol, decision.command);
		return call;
	});
}

/** The arguments of a delimiter call. */
function markOf(
	{ answers }: World,
	{ open, kinds }: ProtocolState,
	{ kind, pick, size, flavour, isWrong }: Extract<Block, { readonly type: "mark" }>,
): Use["args"] {
	if (isWrong) return { action: pick % 2 === 0 ? "start" : "end", name: "", type: "nap" };
	const end = { action: "end", ...(pick % 3 === 0 && { keep: true }) };
	if (open) return open.kind === "act" ? end : { ...end, description: textOf(size, flavour) };
	const start = { action: "start", name: episodeName(kinds.size), type: kind };
	if (kind === "expl") return start;
	const expls = [...kinds].filter(([, known]) => known === "expl").map(([name]) => name);
	const dependencies = [pickFrom(expls, pick), pickFrom(expls, answers)];
	return { ...start, dependencies: dependencies.filter((name) => name !== undefined) };
}

/** An answer whose ids are made from its number, so that no two answers share an id. */
function makeAnswer(world: World, said: readonly Said[], stopReason: Answer["stopReason"]): Answer {
	const { name, api, sender } = world.wire;
	const { reasoning, callId, textSignature } = shapes[name];
	const number = ++world.answers;
	const response = number.toString(16).padStart(24, "0");
	const [first] = said;
	const isReasoned = first !== undefined && isReasoning(first) && isSentBack(name, first);
	// One piece of reasoning begins a response of OpenAI, and its items are paired with it.
	const kept = name === "responses" ? said.filter((block, at) => at === 0 || !isReasoning(block)) : said;
	const firstCall = kept.findIndex(({ type }) => type === "call");
	const content = kept.map((block, at): AnswerBlock => {
		const place = { response, number, at, isReasoned };
		if (block.type === "text") return make.says(block.text, textSignature?.(place));
		if (block.type !== "call") return { type: "thinking", ...reasoning(block, response) };
		const id = useId(world, callId(place, block.tool), block.sameId);
		const made = make.calls(id, block.tool, block.args);
		// The first call of a step carries the signature of the step.
		return name === "google" && at === firstCall
			? Object.assign(made, { thoughtSignature: "c2lnbmVk" })
			: made;
	});
	const { provider, model } = sender;
	const reply = { ...modelReply(content, tick(world)), api, provider, model, stopReason };
	const usage = { ...reply.usage, input: world.reported };
	// The next answer without a request in between is none that pi asked for.
	world.reported = 0;
	return { ...reply, usage, responseId: `${number}` };
}

/** The id of a call, or that of the call before; an item of OpenAI's responses has an id of its own all the same. */
function useId(world: World, id: string, isEarlier: boolean): string {
	const item = id.indexOf("|");
	const earlier = item < 0 ? world.lastCallId : baseId(world.lastCallId) + id.slice(item);
	world.lastCallId = isEarlier ? earlier : id;
	return world.lastCallId;
}

/** pi 0.73.1 never sends thinking of Anthropic without a text back, so no call can be held to it there. */
function isSentBack(wire: Wire["name"], { type, text }: Reasoning): boolean {
	if (wire !== "anthropic" || !VERSION.startsWith("0.73.")) return true;
	return type === "redacted" || (type === "thinking" && text.trim() !== "");
}

function isReasoning(block: Said): block is Reasoning {
	return block.type === "thinking" || block.type === "sealed" || block.type === "redacted";
}

/** The place of a block in its answer. */
interface Place {
	readonly response: string;
	readonly number: number;
	readonly at: number;
	readonly isReasoned: boolean;
}

interface Shape {
	reasoning(block: Reasoning, response: string): Omit<AnswerBlock & { readonly type: "thinking" }, "type">;
	callId(place: Place, tool: string): string;
	textSignature?(place: Place): string;
}

/** The differences between the answers of four APIs. */
const shapes: Readonly<Record<Wire["name"], Shape>> = {
	anthropic: {
		reasoning({ type, text }) {
			if (type === "thinking") return { thinking: text, thinkingSignature: signUnbound(text) };
			if (type === "sealed") return { thinking: "", thinkingSignature: signUnbound(text) };
			const thinkingSignature = signUnbound("redacted");
			return { thinking: "[Reasoning redacted]", redacted: true, thinkingSignature };
		},
		callId: ({ response, isReasoned, at }) => itemId("toolu", response, isReasoned, at),
	},
	responses: {
		reasoning({ type, text }, response) {
			const id = reasoningId(response);
			const item = { type: "reasoning", id, summary: [], encrypted_content: signUnbound(id) };
			return { thinking: type === "thinking" ? text : "", thinkingSignature: JSON.stringify(item) };
		},
		callId: ({ response, isReasoned, at }) =>
			`call_${response}${at}|${itemId("fc", response, isReasoned, at)}`,
		textSignature: ({ response, isReasoned, at }) =>
			JSON.stringify({ v: 1, id: itemId("msg", response, isReasoned, at) }),
	},
	completions: {
		reasoning: ({ text }) => ({ thinking: text, thinkingSignature: "reasoning_content" }),
		callId: ({ number, at }) => `call_${number}_${at}`,
	},
	google: {
		reasoning: ({ text }) => ({ thinking: text }),
		callId: ({ number, at }, tool) => `${tool}_${number}_${at}`,
	},
};

/** Appends a user turn in one of the forms that pi has, or a note from the host. */
export function say(world: World, { form, size, flavour }: Of<"say">) {
	world.clock += 1;
	// The `> ` keeps the text from being empty: pi leaves out empty messages.
	write(world, choose(formsOf(`> ${textOf(size, flavour)}`, world.clock), form));
}

function formsOf(text: string, timestamp: number): readonly [EntryBody, ...EntryBody[]] {
	const words = make.words(text);
	const message = (said: HostMessage): EntryBody => ({ type: "message", message: said });
	const custom = (customType: string, content: string | make.ContentBlock[]): EntryBody => ({
		type: "custom_message",
		customType,
		content,
		display: false,
	});
	return [
		message(make.user(text, timestamp)),
		message(make.user([words], timestamp)),
		message(make.user([words, make.image], timestamp)),
		message(make.bash("ls", text, timestamp)),
		message(make.hiddenBash("env", timestamp)),
		custom("skill", text),
		custom("skill", [words, make.image]),
		// One of few texts, so that the same one comes again.
		custom("cwl.git", `status ${text.length % 3}`),
		custom("cwl.goal", [words]),
	];
}
