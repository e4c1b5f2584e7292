/** Decodes a recorded pi message: everything after this point trusts its type. */
import type { HostMessage } from "#pi";
import { type Fields, isFields } from "./json.ts";
import { readArguments, textOf, timeOf } from "./parts.ts";

/**
 * Returns one recorded message, or undefined if nothing of it can be used. A block that cannot be read is left out and
 * told to `note`; the rest of the message stays. A missing timestamp is taken from its entry. `hookMessage` is what
 * version 2 called `custom` (pi's own migration, session-manager.js).
 */
export function decodeMessage(
	value: unknown,
	entryTimestamp: unknown,
	note: (reason: string) => void,
): HostMessage | undefined {
	const skip = (reason: string) => void note(`${reason}: skipped`);
	if (!isFields(value)) return skip("the entry holds no message");
	const timestamp = typeof value.timestamp === "number" ? value.timestamp : timeOf(entryTimestamp);
	const role = value.role === "hookMessage" ? "custom" : textOf(value.role);
	const decode = Object.hasOwn(decoders, role) ? decoders[role] : undefined;
	if (!decode) return skip(`unknown role ${JSON.stringify(value.role)}`);
	const decoded = decode(value, note);
	if (typeof decoded === "string") return skip(decoded);
	// The one place where a recorded message gets its type: the decoder of its role has read every field that is used.
	return { ...value, ...decoded, role, timestamp } as unknown as HostMessage;
}

/** Returns the fields that it checked, or the reason why the message cannot be used. */
type Decoder = (message: Fields, note: (reason: string) => void) => Fields | string;

const decoders: Readonly<Record<string, Decoder>> = {
	user: decodeContent,
	custom: withTexts(["customType"], decodeContent),
	toolResult: withTexts(["toolCallId"], decodeContent),
	assistant({ content }, note) {
		if (!Array.isArray(content)) return "the model's content is no list of blocks";
		return keepBlocks(content, note, decodeReplyBlock);
	},
	bashExecution: withTexts(["command", "output"]),
	branchSummary: withTexts(["summary"]),
	compactionSummary: withTexts(["summary"]),
};

/** Requires fields that hold text, then decodes what is left. */
function withTexts(names: readonly string[], decode: Decoder = () => ({})): Decoder {
	return (message, note) => findMissing(message, names) ?? decode(message, note);
}

function findMissing(fields: Fields, names: readonly string[]): string | undefined {
	const missing = names.find((name) => typeof fields[name] !== "string");
	return missing === undefined ? undefined : `${missing} is missing`;
}

function decodeContent({ content }: Fields, note: (reason: string) => void): Fields | string {
	if (typeof content === "string") return { content };
	if (!Array.isArray(content)) return "content is neither text nor a list of blocks";
	return keepBlocks(content, note, decodePart);
}

/** The blocks that can be read; a message that held blocks and keeps none of them cannot be used. */
function keepBlocks<Kept>(
	blocks: readonly unknown[],
	note: (reason: string) => void,
	decode: (block: Fields, note: (reason: string) => void) => Kept | string,
): Fields | string {
	const read = blocks.map((block) =>
		isFields(block) ? decode(block, note) : "a content block is no object",
	);
	const content = read.filter((block) => typeof block !== "string");
	const faults = read.filter((block) => typeof block === "string");
	if (content.length === 0 && faults.length > 0) return faults.join("; ");
	for (const fault of faults) note(`${fault}: left out`);
	return { content };
}

function decodePart(block: Fields): Fields | string {
	if (block.type === "image") return block;
	const isText = block.type === "text" && typeof block.text === "string";
	return isText ? block : `unknown content block ${JSON.stringify(block.type)}`;
}

function decodeReplyBlock(block: Fields, note: (reason: string) => void): Fields | string {
	switch (block.type) {
		case "text":
			return findMissing(block, ["text"]) ?? block;
		case "thinking":
			return findMissing(block, ["thinking"]) ?? block;
		case "toolCall": {
			const missing = findMissing(block, ["id", "name"]);
			if (missing !== undefined || isFields(block.arguments)) return missing ?? block;
			note(`the arguments of call ${JSON.stringify(block.id)} are no object: mended`);
			return { ...block, arguments: readArguments(block.arguments) };
		}
		default:
			return `unknown content block ${JSON.stringify(block.type)}`;
	}
}
