/** Where pi cuts a session in two to compact it: `findCutPoint` of pi-coding-agent 0.73, on messages. */
import type { HostMessage } from "#pi";

export interface Cut {
	/** Index of the first message that stays. */
	readonly first: number;
	/** Index where the user turn begins that is cut in two; that of `first` where none is. */
	readonly turn: number;
}

/**
 * Walks back from the end until `keep` tokens have come together, and cuts at the next message that is no tool result.
 * Where there is none, as after one huge output, everything from the first possible cut stays. Undefined without any
 * possible cut.
 */
export function findCut(history: readonly HostMessage[], start: number, keep: number): Cut | undefined {
	const isCut = (message: HostMessage | undefined) => message !== undefined && message.role !== "toolResult";
	let first = history.findIndex((message, i) => i >= start && isCut(message));
	if (first < 0) return undefined;
	let tokens = 0;
	for (let i = history.length - 1; i >= start; i--) {
		const message = history[i];
		if (message) tokens += estimateTokens(message);
		if (tokens < keep) continue;
		const next = history.findIndex((candidate, at) => at >= i && isCut(candidate));
		if (next >= 0) first = next;
		break;
	}
	const begins = ({ role }: HostMessage, i: number) =>
		i >= start && i <= first && (role === "user" || role === "bashExecution");
	const turn = history[first]?.role === "user" ? first : history.findLastIndex(begins);
	return { first, turn: turn < 0 ? first : turn };
}

const CHARACTERS_PER_TOKEN = 4;
const IMAGE_CHARACTERS = 4_800;

/** pi's estimate: four characters a token. */
export function estimateTokens(message: HostMessage): number {
	return Math.ceil(countCharacters(message) / CHARACTERS_PER_TOKEN);
}

function countCharacters(message: HostMessage): number {
	switch (message.role) {
		case "user":
			return contentCharacters(message.content, 0);
		case "custom":
		case "toolResult":
			return contentCharacters(message.content, IMAGE_CHARACTERS);
		case "assistant":
			return message.content.reduce((sum, block) => sum + blockCharacters(block), 0);
		case "bashExecution":
			return message.command.length + message.output.length;
		default:
			return message.summary.length;
	}
}

type Content = string | readonly { readonly type: string; readonly text?: string }[];

function contentCharacters(content: Content, image: number): number {
	if (typeof content === "string") return content.length;
	return content.reduce((sum, { type, text = "" }) => sum + (type === "image" ? image : text.length), 0);
}

type Block = (HostMessage & { readonly role: "assistant" })["content"][number];

function blockCharacters(block: Block): number {
	if (block.type === "text") return block.text.length;
	if (block.type === "thinking") return block.thinking.length;
	return block.name.length + JSON.stringify(block.arguments).length;
}
