/**
 * System messages inside a conversation, which Claude Code sends as reminders. Anthropic wants each right behind a user
 * message and in front of an answer, and never two in a row (platform.claude.com, mid-conversation system messages).
 * Where an eviction took their neighbors they are sent as a user's reminder instead, as agents write them for older models.
 */
import type { ParsedRequest } from "../conversation/request.ts";
import type { Transcript } from "../conversation/transcript.ts";
import type { Edit } from "../wire/edits.ts";
import { parseAt } from "../wire/json-scan.ts";
import type { WireFormat } from "../wire/wire-format.ts";

/** Edits of the system messages that no longer stand where the provider takes them. */
export function editSystemEntries(
	request: ParsedRequest,
	{ asReminder }: WireFormat,
	transcript: Transcript,
	kept: readonly boolean[],
): readonly Edit[] {
	if (!asReminder || kept.every((isKept) => isKept)) return [];
	const edits: Edit[] = [];
	const left = [...kept.keys()].filter((index) => kept[index]);
	let before = "";
	for (const [at, index] of left.entries()) {
		const span = request.list.elements[index];
		const role = roleAt(request, transcript, index);
		const next = left[at + 1];
		const after = next === undefined ? undefined : roleAt(request, transcript, next);
		const isPlaced = before === "user" && (after === undefined || after === "assistant");
		// Where both neighbors are those that the agent sent, the place is the agent's own.
		const isMoved = left[at - 1] !== index - 1 || (next !== undefined && next !== index + 1);
		const reminder =
			role === "system" && !isPlaced && isMoved && span && asReminder(parseAt(request.bytes, span));
		if (reminder) edits.push({ ...span, text: JSON.stringify(reminder) });
		before = reminder ? "user" : role;
	}
	return edits;
}

function roleAt(request: ParsedRequest, { entries, messages }: Transcript, index: number): string {
	const [item] = entries[index]?.items ?? [];
	const author = item && messages[item.message]?.author;
	if (author) return author === "model" ? "assistant" : "user";
	const span = request.list.elements[index];
	const entry = span ? parseAt(request.bytes, span) : undefined;
	return typeof entry === "object" && entry !== null && "role" in entry ? String(entry.role) : "";
}
