/** The messages of a session as pi stores them: answers in the shapes of four APIs with the results of their calls, and user turns. */
import { advanceProtocol, DELIMITER, decideDelimiter, type ProtocolState } from "#core/annotation";
import { itemId, reasoningId, signUnbound } from "#loopback";
import type { HostMessage } from "#pi";
import { baseId } from "#replay";
import * as make from "../../packages/pi/test-support/host-messages.ts";
import { assistantMessage } from "../assistant-message.ts";
import type { Wire } from "../strict/wires.ts";
import {
	type Block,
	choose,
	episodeName,
	type Fate,
	type Of,
	pickFrom,
	textOf,
	type Use,
	uses,
} from "./script.ts";
import type { EntryBody } from "./session-file.ts";
import { type World, write } from "./world.ts";

export type Answer = HostMessage & { readonly role: "assistant" };
type AnswerBlock = Answer["content"][number];

type Said =
	| { readonly type: "text" | "thinking" | "redacted"; readonly text: string }
	| ({ readonly type: "call" } & Use);

/** The content of one block, and the fate of the call in it. */
interface Plan {
	readonly said: Said;
	readonly fate: Fate;
	readonly output: string;
	readonly sameId: boolean;
	readonly hasImage: boolean;
}

const stops = { well: "toolUse", aborted: "aborted", error: "error", length: "length" } as const;

/** Appends an answer and, where it was not cut short, its results: the delimiter's as the extension gives them. */
export function writeBatch(world: World, { blocks, ending, steers }: Of<"batch">) {
	const plans = planBlocks(world, blocks);
	const said = plans.map((plan) => plan.said);
	const made = makeAnswer(world.wire, ++world.answers, said, stops[ending], tick(world));
	const content = reuseIds(world, plans, made.content);
	write(world, { type: "message", message: { ...made, content } });
	if (ending === "aborted" || ending === "error") return;
	const calls = content.filter((block) => block.type === "toolCall");
	const answered = plans.filter((plan) => plan.said.type === "call");
	const results = calls.flatMap((call, index) => {
		const plan = answered[index];
		return plan ? [{ fate: plan.fate, message: makeResult(world, call.id, call.name, plan) }] : [];
	});
	for (const { fate, message } of results) {
		if (fate !== "missing" && fate !== "late") write(world, { type: "message", message });
		if (fate === "twice") write(world, { type: "message", message });
	}
	const late = results.filter(({ fate }) => fate === "late");
	if (!steers && late.length === 0) return;
	write(world, { type: "message", message: make.user("wait", tick(world)) });
	for (const { message } of late) write(world, { type: "message", message });
}

/** Appends a call of `recall` and its answer. */
export function writeRecall(world: World, query: string, text: string) {
	const said = [{ type: "call", tool: "recall", args: { query } }] as const;
	const answer = makeAnswer(world.wire, ++world.answers, said, "toolUse", ++world.clock);
	write(world, { type: "message", message: answer });
	for (const block of answer.content) {
		if (block.type !== "toolCall") continue;
		const content = [make.words(text)];
		const of = { toolCallId: block.id, toolName: block.name, isError: false, timestamp: ++world.clock };
		write(world, { type: "message", message: { role: "toolResult", content, ...of } });
	}
}

/** Messages of one batch often share their time. */
function tick(world: World): number {
	world.clock += world.answers % 3 === 0 ? 0 : 1;
	return world.clock;
}

/** Gives some calls the id of the call before; items of OpenAI's responses have an id of their own all the same. */
function reuseIds(world: World, plans: readonly Plan[], content: Answer["content"]): Answer["content"] {
	return content.map((block, at) => {
		if (block.type !== "toolCall") return block;
		const item = block.id.indexOf("|");
		const earlier = item < 0 ? world.lastCallId : baseId(world.lastCallId) + block.id.slice(item);
		world.lastCallId = plans[at]?.sameId ? earlier : block.id;
		return { ...block, id: world.lastCallId };
	});
}

function makeResult(world: World, toolCallId: string, toolName: string, plan: Plan) {
	const text = make.words(plan.output);
	return {
		role: "toolResult" as const,
		toolCallId,
		toolName,
		content: plan.hasImage ? [text, make.image] : [text],
		isError: plan.fate === "fails",
		timestamp: tick(world),
	};
}

function planBlocks(world: World, blocks: readonly Block[]): readonly Plan[] {
	let protocol = world.protocol;
	return blocks.map((block): Plan => {
		const plain = { fate: "comes", output: "ok", sameId: false, hasImage: false } as const;
		if (block.type === "call") {
			const said = { type: "call", ...choose(uses, block.tool) } as const;
			return { ...block, output: textOf(block.size, block.flavour), said };
		}
		if (block.type !== "mark")
			return { ...plain, said: { type: block.type, text: textOf(block.size, block.flavour) } };
		if (!world.steering.enabled) return { ...plain, said: { type: "text", text: "off" } };
		const args = markOf(world, protocol, block);
		const said: Said = { type: "call", tool: DELIMITER, args };
		const decision = decideDelimiter(protocol, args);
		if (decision.type === "rejected") return { ...plain, said, fate: "fails", output: decision.message };
		protocol = advanceProtocol(protocol, decision.command);
		return { ...plain, said };
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

/** An answer whose ids are made from its `number`, so that no two answers share an id. */
function makeAnswer(
	{ name, api, sender }: Wire,
	number: number,
	said: readonly Said[],
	stopReason: Answer["stopReason"],
	timestamp: number,
): Answer {
	const content = makers[name](said, number.toString(16).padStart(24, "0"), number);
	const { provider, model } = sender;
	return assistantMessage(content, { api, provider, model, stopReason, timestamp, responseId: `${number}` });
}

type Maker = (said: readonly Said[], response: string, number: number) => AnswerBlock[];

const makers: Readonly<Record<Wire["name"], Maker>> = {
	anthropic(said, response) {
		const [first] = said;
		// pi never sends blank thinking back, so no call can be held to it.
		const isReasoned = first?.type === "redacted" || (first?.type === "thinking" && first.text.trim() !== "");
		return said.map((block, at): AnswerBlock => {
			switch (block.type) {
				case "text":
					return make.says(block.text);
				case "thinking":
					return { type: "thinking", thinking: block.text, thinkingSignature: signUnbound(block.text) };
				case "redacted": {
					const sealed = { thinkingSignature: signUnbound("redacted"), redacted: true };
					return { type: "thinking", thinking: "[Reasoning redacted]", ...sealed };
				}
				default:
					return call(itemId("toolu", response, isReasoned, at), block);
			}
		});
	},
	/** One piece of reasoning begins a response, and its items are paired with it. */
	responses(said, response) {
		const isReasoned = said[0]?.type === "thinking" || said[0]?.type === "redacted";
		const kept = said.filter(({ type }, at) => at === 0 || (type !== "thinking" && type !== "redacted"));
		return kept.map((block, at): AnswerBlock => {
			const fc = itemId("fc", response, isReasoned, at);
			switch (block.type) {
				case "call":
					return call(`call_${response}${at}|${fc}`, block);
				case "text":
					return make.says(block.text, JSON.stringify({ v: 1, id: itemId("msg", response, isReasoned, at) }));
				default: {
					const id = reasoningId(response);
					const item = { type: "reasoning", id, summary: [], encrypted_content: signUnbound(id) };
					const thinking = block.type === "redacted" ? "" : block.text;
					return { type: "thinking", thinking, thinkingSignature: JSON.stringify(item) };
				}
			}
		});
	},
	completions(said, _response, number) {
		return said.map((block, at): AnswerBlock => {
			if (block.type === "call") return call(`call_${number}_${at}`, block);
			if (block.type === "text") return make.says(block.text);
			return { type: "thinking", thinking: block.text, thinkingSignature: "reasoning_content" };
		});
	},
	/** The first call of a step carries the signature of the step. */
	google(said, _response, number) {
		const first = said.findIndex(({ type }) => type === "call");
		return said.map((block, at): AnswerBlock => {
			if (block.type === "call") {
				const made = call(`${block.tool}_${number}_${at}`, block);
				return at === first ? { ...made, thoughtSignature: "c2lnbmVk" } : made;
			}
			return block.type === "text" ? make.says(block.text) : { type: "thinking", thinking: block.text };
		});
	},
};

function call(id: string, { tool, args }: Use): AnswerBlock & { readonly type: "toolCall" } {
	return { type: "toolCall", id, name: tool, arguments: args };
}

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
		...{ type: "custom_message", customType, content, display: false },
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
