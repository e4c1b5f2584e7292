/** An answer of the model with the results of its calls, the delimiter's given as the extension gives them. */
import { advanceProtocol, DELIMITER, decideDelimiter, type ProtocolState } from "#core/annotation";
import type { HostMessage } from "#pi";
import { baseId } from "#replay";
import { type Answer, makeAnswer, type Said, withCallId } from "./answers.ts";
import type { Block, Ending, Fate } from "./operations.ts";
import { episodeName, textOf, useOf } from "./texts.ts";
import { pickFrom, type World, write } from "./world.ts";

type CallSaid = Extract<Said, { readonly type: "call" }>;
/** pi stores its own kinds of messages and the ones below as message entries. */
type Result = HostMessage & { readonly role: "toolResult" };

/** The content of one block, and the fate of the call in it. */
interface Plan {
	readonly said: Said;
	readonly fate: Fate;
	readonly output: string;
	readonly sameId: boolean;
	readonly hasImage: boolean;
}

const stops: Readonly<Record<Ending, Answer["stopReason"]>> = {
	well: "toolUse",
	aborted: "aborted",
	error: "error",
	length: "length",
};

/** Append an answer and, where it was not cut short, its results. */
export function writeBatch(world: World, blocks: readonly Block[], ending: Ending, steers: boolean) {
	const plans = planBlocks(world, blocks);
	const number = ++world.answers;
	const said = plans.map((plan) => plan.said);
	const made = makeAnswer(world.wire, number, said, stops[ending], tick(world));
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
	write(world, { type: "message", message: { role: "user", content: "wait", timestamp: tick(world) } });
	for (const { message } of late) write(world, { type: "message", message });
}

/** Messages of one batch often share their time. */
function tick(world: World): number {
	world.clock += world.answers % 3 === 0 ? 0 : 1;
	return world.clock;
}

function reuseIds(world: World, plans: readonly Plan[], content: Answer["content"]): Answer["content"] {
	return content.map((block, at) => {
		if (block.type !== "toolCall") return block;
		const kept = plans[at]?.sameId ? withCallId(block, reusedId(world.lastCallId, block.id)) : block;
		if (kept.type === "toolCall") world.lastCallId = kept.id;
		return kept;
	});
}

/** The earlier id; items of OpenAI's responses have an id of their own all the same. */
function reusedId(earlier: string, own: string): string {
	const item = own.indexOf("|");
	return item < 0 ? earlier : baseId(earlier) + own.slice(item);
}

function makeResult(world: World, toolCallId: string, toolName: string, plan: Plan): Result {
	const text = { type: "text" as const, text: plan.output };
	const image = { type: "image" as const, data: "iVBORw0KGgo=", mimeType: "image/png" };
	return {
		role: "toolResult",
		toolCallId,
		toolName,
		content: plan.hasImage ? [text, image] : [text],
		isError: plan.fate === "fails",
		timestamp: tick(world),
	};
}

function planBlocks(world: World, blocks: readonly Block[]): readonly Plan[] {
	let protocol = world.protocol;
	return blocks.map((block): Plan => {
		const plain = { fate: "comes", output: "ok", sameId: false, hasImage: false } as const;
		if (block.type === "call") {
			const output = textOf(block.size, block.flavour);
			return { ...block, output, said: { type: "call", ...useOf(block.tool) } };
		}
		if (block.type !== "mark") {
			return { ...plain, said: { type: block.type, text: textOf(block.size, block.flavour) } };
		}
		if (!world.steering.enabled) return { ...plain, said: { type: "text", text: "off" } };
		const said = mark(world, protocol, block);
		const decision = decideDelimiter(protocol, said.args);
		if (decision.type === "rejected") return { ...plain, said, fate: "fails", output: decision.message };
		protocol = advanceProtocol(protocol, decision.command);
		return { ...plain, said };
	});
}

function mark(
	{ answers }: World,
	{ open, kinds }: ProtocolState,
	{ kind, pick, size, flavour, isWrong }: Extract<Block, { readonly type: "mark" }>,
): CallSaid {
	const say = (args: Record<string, unknown>): CallSaid => ({ type: "call", tool: DELIMITER, args });
	if (isWrong) return say({ action: pick % 2 === 0 ? "start" : "end", name: "", type: "nap" });
	const description = textOf(size, flavour);
	const end = { action: "end", ...(pick % 3 === 0 && { keep: true }) };
	if (open) return say(open.kind === "act" ? end : { ...end, description });
	const start = { action: "start", name: episodeName(kinds.size), type: kind };
	if (kind === "expl") return say(start);
	const expls = [...kinds].filter(([, known]) => known === "expl").map(([name]) => name);
	const first = pickFrom(expls, pick);
	const second = pickFrom(expls, answers);
	return say({ ...start, dependencies: [first, second].filter((name) => name !== undefined) });
}
