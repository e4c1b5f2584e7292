/** Arbitrary sessions as pi's messages: core's arbitrary sessions, dressed in every kind of message that pi has. */
import fc from "fast-check";
import type { Item, TranscriptMessage } from "#core/transcript";
import { writeSession } from "../../core/test-support/session-writer.ts";
import { anySession, thinkingSession } from "../../core/test-support/sessions.ts";
import type { HostMessage } from "../codec/host-message.ts";
import * as say from "./host-messages.ts";

/** Chooses among the forms that a message may take, and how much time has passed. */
type Pick = number;

const picks = fc.array(fc.nat({ max: 59 }), { minLength: 1, maxLength: 20 });

/** Half of them think before every text and call. Timestamps never fall and often repeat. Each model message has a `responseId` of its own to know it by. */
export const anyHostSession: fc.Arbitrary<readonly HostMessage[]> = fc
	.tuple(fc.oneof(anySession, thinkingSession), picks)
	.map(([session, choices]) => {
		let timestamp = 1;
		return writeSession(session).map((message, index) => {
			const pick = choices[index % choices.length] ?? 0;
			if (pick % 4 !== 0) timestamp += 1;
			return { ...dress(message, pick, index), timestamp };
		});
	});

/** From "almost nothing fits" to "almost everything does", in characters. */
export const anyBudget = fc.oneof(
	{ weight: 1, arbitrary: fc.integer({ min: 0, max: 400 }) },
	{ weight: 4, arbitrary: fc.integer({ min: 400, max: 2_000 }) },
	{ weight: 3, arbitrary: fc.integer({ min: 2_000, max: 10_000 }) },
);

function textOf({ tokens }: { readonly tokens: number }): string {
	return "x".repeat(Math.ceil(tokens / 10));
}

function dress({ author, items }: TranscriptMessage, pick: Pick, index: number): HostMessage {
	if (author === "model") return { ...say.reply(items.map(dressBlock)), responseId: `resp_${index}` };
	const [item] = items;
	if (!item) return pick % 2 === 0 ? say.hiddenBash("env") : say.ofLaterHost();
	const text = textOf(item);
	if (item.type === "result") {
		const content = pick % 5 === 0 ? [say.words(text), say.image] : [say.words(text)];
		return say.result(wireId(item.callId), content, 0, item.isError);
	}
	return item.type === "user" ? dressUser(text, pick) : dressNote(text, pick);
}

function dressUser(text: string, pick: Pick): HostMessage {
	const forms = [
		say.user(text),
		say.user([say.words(text)]),
		say.user([say.words(text), say.image]),
		say.bash("ls", text),
		say.custom("skill", text),
		say.custom("skill", [say.words(text)]),
	];
	return forms[pick % forms.length] ?? say.user(text);
}

function dressNote(text: string, pick: Pick): HostMessage {
	const forms = [
		// One of few texts, so that the same one comes again.
		say.custom("cwl.git", `status ${text.length % 3}`),
		say.custom("cwl.git", [say.words(text)]),
		say.branchSummary(text),
		say.compactionSummary(text),
	];
	return forms[pick % forms.length] ?? say.custom("cwl.git", text);
}

function dressBlock(item: Item): say.ModelBlock {
	switch (item.type) {
		case "call":
			return say.calls(wireId(item.callId), item.tool, { ...item.arguments });
		case "reasoning":
			return item.tokens % 3 === 0 ? say.redacted() : say.thinks(textOf(item));
		default:
			return say.says(textOf(item), item.tokens % 2 === 0 ? `msg_${item.id}` : undefined);
	}
}

/** Every other call has an id as OpenAI gives it. */
function wireId(callId: string): string {
	return /[02468]$/.test(callId) ? `${callId}|fc_${callId}` : callId;
}
