/**
 * Context-Folding (Sun et al., "Scaling Long-Horizon LLM Agent via Context-Folding", arXiv 2510.11967): an agent branches
 * into a subtask and returns from it; on the return everything in between leaves at once, whatever the size of the
 * context, and only the message that it returned with stays.
 * Departures: a branch is an episode that `delimiter` calls mark, and unmarked work is never folded; the message of an
 * expl is its description, that of an act the text of the message that ends it; a branch folds one request after its end,
 * because here the end comes with its last call, before the result of that is seen; user messages stay; the published limits
 * (32k active tokens, 10 branches, after which an attempt ends) do not apply, so nothing else leaves above the budget;
 * the agent is not trained to fold.
 */
import { DELIMITER } from "#core/annotation";
import { quoteStart } from "#core/transcript";
import { contentText, type HostMessage, OUR_MESSAGES } from "#pi/codec/host-message.ts";
import { defineKind } from "./knobs.ts";

export const contextFolding = defineKind("context-folding", {}, (name) => ({
	name,
	exempt: ["identity", "prefix"],
	open() {
		/** By branch: the same objects for each request, so that they are counted once. */
		const lines: Lines = new Map();
		return (history) => ({ messages: foldBranches(history, lines), pass: undefined });
	},
}));

/** Of a returned message; in characters, as in the line of an evicted episode. */
const MAX_RETURNED = 2_000;
const MAX_NAME = 100;

type Reply = HostMessage & { readonly role: "assistant" };
type Call = Extract<Reply["content"][number], { readonly type: "toolCall" }>;

interface Branch {
	/** Index of the message that starts it. */
	readonly start: number;
	readonly label: string;
	readonly calls: readonly string[];
}

type Lines = Map<string, HostMessage>;

function foldBranches(history: readonly HostMessage[], lines: Lines): readonly HostMessage[] {
	const latest = history.findLastIndex(({ role }) => role === "assistant");
	const closed = readBranches(history).filter(({ end }) => end < latest);
	const starts = groupByStart(closed);
	const folded = new Set(closed.flatMap(({ calls }) => calls));
	return history.flatMap((message, index) => {
		if (message.role === "toolResult") return folded.has(message.toolCallId) ? [] : [message];
		if (message.role !== "assistant") return [message];
		const before = (starts.get(index) ?? []).map((branch) => {
			const line = lines.get(branch.label) ?? lineOf(branch, message.timestamp);
			lines.set(branch.label, line);
			return line;
		});
		const left = message.content.filter((block) => block.type !== "toolCall" || !folded.has(block.id));
		if (left.length === message.content.length) return [...before, message];
		return left.some(({ type }) => type === "toolCall") ? [...before, { ...message, content: left }] : before;
	});
}

function groupByStart(closed: readonly ClosedBranch[]): ReadonlyMap<number, readonly ClosedBranch[]> {
	const groups = new Map<number, ClosedBranch[]>();
	for (const branch of closed) groups.set(branch.start, [...(groups.get(branch.start) ?? []), branch]);
	return groups;
}

interface ClosedBranch extends Branch {
	/** Index of the message that ends it. */
	readonly end: number;
	readonly returned: string;
}

/** The branches that were returned from; refused delimiter calls belong to the branch that they are made in. */
function readBranches(history: readonly HostMessage[]): readonly ClosedBranch[] {
	const accepted = new Set(
		history.flatMap((message) =>
			message.role === "toolResult" && !message.isError ? [message.toolCallId] : [],
		),
	);
	const closed: ClosedBranch[] = [];
	let open: Branch | undefined;
	for (const [index, message] of history.entries()) {
		if (message.role !== "assistant") continue;
		for (const block of message.content) {
			if (block.type !== "toolCall") continue;
			const action = block.name === DELIMITER && accepted.has(block.id) ? block.arguments.action : undefined;
			if (action === "start") open = { start: index, label: labelOf(block), calls: [block.id] };
			else if (open) open = { ...open, calls: [...open.calls, block.id] };
			if (action !== "end" || !open) continue;
			closed.push({ ...open, end: index, returned: returnedBy(block, message) });
			open = undefined;
		}
	}
	return closed;
}

const labelOf = ({ arguments: input }: Call): string =>
	`${input.type === "act" ? "act" : "expl"} ${quoteStart(String(input.name), MAX_NAME)}`;

function returnedBy({ arguments: input }: Call, { content }: Reply): string {
	if (typeof input.description === "string") return input.description;
	return contentText(content.filter((block) => block.type === "text"));
}

function lineOf({ label, returned }: ClosedBranch, timestamp: number): HostMessage {
	const content = `[${label}, folded] ${quoteStart(returned, MAX_RETURNED)}`;
	return { role: "custom", customType: `${OUR_MESSAGES}marker`, content, display: false, timestamp };
}
