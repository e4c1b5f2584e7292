/** One line of a pass file. A line that was cut short or damaged is told from a whole one by its checksum. */
import { createHash } from "node:crypto";
import { isRecord, type Pass } from "#core";

export interface StoredPass {
	/** The name of the conversation up to the last message of the request that the pass was made for. */
	readonly at: string;
	readonly pass: Pass;
}

/** The line, with a line break before it too: what stands before may have been cut short. */
export function writeLine({ at, pass }: StoredPass): string {
	const text = JSON.stringify({ at, pass });
	return `\n${JSON.stringify({ sum: checksum(text), text })}\n`;
}

/** Undefined for a line that is damaged. */
export function readLine(line: string): StoredPass | undefined {
	const outer = parse(line);
	if (!isRecord(outer) || typeof outer.text !== "string" || outer.sum !== checksum(outer.text))
		return undefined;
	const inner = parse(outer.text);
	return isStored(inner) ? inner : undefined;
}

/** The checksum vouches for the rest of the pass: this package wrote it. */
function isStored(value: unknown): value is StoredPass {
	if (!isRecord(value) || typeof value.at !== "string" || !isRecord(value.pass)) return false;
	return value.pass.version === 1 && Array.isArray(value.pass.strips);
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
