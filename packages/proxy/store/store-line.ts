/** One line of a conversation's file. A line that was cut short or damaged is told from a whole one by its checksum. */
import { createHash } from "node:crypto";
import { isRecord } from "#core";
import type { CountSample } from "#core/ledger";
import type { Pass } from "#core/log";

export interface StoredPass {
	/** The name of the conversation up to the last message of the request that the pass was made for. */
	readonly at: string;
	readonly pass: Pass;
}

/** The provider's count of a request. */
export interface StoredCount {
	/** The name of the conversation up to the last message of that request. */
	readonly at: string;
	readonly count: CountSample & { readonly model: string };
}

export type StoredLine = StoredPass | StoredCount;

/** The line, with a line break before it too: what stands before may have been cut short. */
export function writeLine(line: StoredLine): string {
	const text = JSON.stringify(line);
	return `\n${JSON.stringify({ sum: checksum(text), text })}\n`;
}

/** Undefined for a line that is damaged. */
export function readLine(line: string): StoredLine | undefined {
	const outer = parse(line);
	if (!isRecord(outer) || typeof outer.text !== "string" || outer.sum !== checksum(outer.text))
		return undefined;
	const inner = parse(outer.text);
	return isStored(inner) ? inner : undefined;
}

/** The checksum vouches for the rest of the line: this package wrote it. */
function isStored(value: unknown): value is StoredLine {
	if (!isRecord(value) || typeof value.at !== "string") return false;
	if (isRecord(value.count)) return true;
	return isRecord(value.pass) && value.pass.version === 1 && Array.isArray(value.pass.strips);
}

function checksum(text: string): string {
	return createHash("sha256").update(text).digest("base64url").slice(0, 12);
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
