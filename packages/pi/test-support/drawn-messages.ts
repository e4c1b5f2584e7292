/** Drafts of core's drawn sessions as pi's messages: with the ids and signatures of four APIs, thinking in three kinds, and texts that break careless code. */
import { itemId, reasoningId, signUnbound } from "#testing";
import type { ItemDraft, MessageDraft } from "../../core/test-support/message-builders.ts";
import type { HostMessage } from "../codec/host-message.ts";
import * as say from "./host-messages.ts";

/** The API that writes an answer, and its model. */
export interface Writer {
	readonly name: keyof typeof shapes;
	readonly api: say.ModelMessage["api"];
	readonly sender: Pick<say.ModelMessage, "provider" | "model">;
	/** True if pi leaves out sealed thinking without a text. */
	readonly losesSealed: boolean;
}

export interface Dress {
	readonly writer: Writer;
	/** Choose among the forms that a message may take, and its texts. */
	readonly picks: readonly number[];
	readonly stopReason: say.ModelMessage["stopReason"];
	/** The time of the next message. */
	readonly tick: () => number;
}

type Call = Extract<ItemDraft, { readonly type: "call" }>;

/** Begins a session. Answers and calls are numbered through, so that no two share an id unless the draft says so. */
export function createDresser() {
	let answers = 0;
	/** The id and tool of each draft's call, as it was sent. */
	const calls = new Map<string, { readonly id: string; readonly tool: string }>();

	function dressAnswer(items: readonly ItemDraft[], pick: number, { writer, stopReason }: Dress) {
		const { name, api, sender } = writer;
		const number = ++answers;
		const response = number.toString(16).padStart(24, "0");
		// One piece of reasoning begins a response of OpenAI, and its items are paired with it.
		const kept = items.filter(({ type }, at) => name !== "responses" || at === 0 || type !== "reasoning");
		const firstCall = kept.findIndex(({ type }) => type === "call");
		const [first] = kept;
		const isReasoned = first?.type === "reasoning" && isSentBack(writer, kindAt(pick), textOf(first, pick));
		const content = kept.map((item, at): say.ModelBlock => {
			const place = { response, number, at, isReasoned };
			const shape = shapes[name];
			const text = textOf(item, pick + 5 * at);
			if (item.type === "reasoning")
				return { type: "thinking", ...shape.reasoning(kindAt(pick + at), text, response) };
			if (item.type !== "call") return say.says(text, shape.textSignature?.(place));
			const made = say.calls(useId(item, shape.callId(place, item.tool)), item.tool, { ...item.arguments });
			// The first call of a step carries the signature of the step.
			return name === "google" && at === firstCall
				? Object.assign(made, { thoughtSignature: "c2lnbmVk" })
				: made;
		});
		return { ...say.reply(content), api, ...sender, stopReason, responseId: `${number}` };
	}

	/** The id of a call; one that a draft uses again keeps its name, and an item of OpenAI's responses has an id of its own all the same. */
	function useId({ callId, tool }: Call, made: string): string {
		const earlier = calls.get(callId);
		const [item = ""] = /\|.*$/.exec(made) ?? [];
		const id = earlier ? earlier.id.replace(/\|.*$/, "") + item : made;
		calls.set(callId, { id, tool });
		return id;
	}

	function dress({ author, items }: MessageDraft, pick: number, given: Dress): HostMessage {
		if (author === "model") return dressAnswer(items, pick, given);
		const [item] = items;
		if (!item) return say.hiddenBash("env");
		const text = textOf(item, pick);
		if (item.type === "result") {
			const { id, tool } = calls.get(item.callId) ?? { id: item.callId, tool: "read" };
			const content = pick % 12 === 0 ? [say.words(text), say.image] : [say.words(text)];
			return say.result(id, content, 0, item.isError, tool);
		}
		// The `> ` keeps the text from being empty: pi leaves out empty messages.
		const forms = item.type === "user" ? userForms(`> ${text}`) : noteForms(`> ${text}`);
		return forms[pick % forms.length] ?? say.user(text);
	}

	return (drafts: readonly MessageDraft[], given: Dress): readonly HostMessage[] =>
		drafts.map((draft, at) => {
			const { picks } = given;
			return { ...dress(draft, picks[at % picks.length] ?? 0, given), timestamp: given.tick() };
		});
}

function userForms(text: string): readonly HostMessage[] {
	return [
		say.user(text),
		say.user([say.words(text)]),
		say.user([say.words(text), say.image]),
		say.bash("ls", text),
		say.custom("skill", text),
		say.custom("skill", [say.words(text), say.image]),
	];
}

function noteForms(text: string): readonly HostMessage[] {
	// One of few texts, so that the same one comes again.
	return [say.custom("cwl.git", `status ${text.length % 3}`), say.custom("cwl.goal", [say.words(text)])];
}

/** `sealed` thinking has no text, as Claude writes it since July 2026. */
type Kind = "thinking" | "sealed" | "redacted";
const kinds: readonly Kind[] = [
	"thinking",
	"thinking",
	"thinking",
	"thinking",
	"sealed",
	"sealed",
	"redacted",
];
const kindAt = (pick: number): Kind => kinds[pick % kinds.length] ?? "thinking";

/** pi 0.73.1 never sends thinking of Anthropic without a text back, so no call can be held to it there. */
function isSentBack({ name, losesSealed }: Writer, kind: Kind, text: string): boolean {
	if (name !== "anthropic" || !losesSealed) return true;
	return kind === "redacted" || (kind === "thinking" && text.trim() !== "");
}

/** The place of a block in its answer. */
interface Place {
	readonly response: string;
	readonly number: number;
	readonly at: number;
	readonly isReasoned: boolean;
}

interface Shape {
	reasoning(
		kind: Kind,
		text: string,
		response: string,
	): Omit<say.ModelBlock & { readonly type: "thinking" }, "type">;
	callId(place: Place, tool: string): string;
	textSignature?(place: Place): string;
}

/** The differences between the answers of four APIs. */
const shapes = {
	anthropic: {
		reasoning(kind, text) {
			if (kind === "thinking") return { thinking: text, thinkingSignature: signUnbound(text) };
			if (kind === "sealed") return { thinking: "", thinkingSignature: signUnbound(text) };
			const thinkingSignature = signUnbound("redacted");
			return { thinking: "[Reasoning redacted]", redacted: true, thinkingSignature };
		},
		callId: ({ response, isReasoned, at }) => itemId("toolu", response, isReasoned, at),
	},
	responses: {
		reasoning(kind, text, response) {
			const id = reasoningId(response);
			const item = { type: "reasoning", id, summary: [], encrypted_content: signUnbound(id) };
			return { thinking: kind === "thinking" ? text : "", thinkingSignature: JSON.stringify(item) };
		},
		callId: ({ response, isReasoned, at }) =>
			`call_${response}${at}|${itemId("fc", response, isReasoned, at)}`,
		textSignature: ({ response, isReasoned, at }) =>
			JSON.stringify({ v: 1, id: itemId("msg", response, isReasoned, at) }),
	},
	completions: {
		reasoning: (_kind, text) => ({ thinking: text, thinkingSignature: "reasoning_content" }),
		callId: ({ number, at }) => `call_${number}_${at}`,
	},
	google: {
		reasoning: (_kind, text) => ({ thinking: text }),
		callId: ({ number, at }, tool) => `${tool}_${number}_${at}`,
	},
} satisfies Readonly<Record<string, Shape>> as Readonly<
	Record<"anthropic" | "responses" | "completions" | "google", Shape>
>;

/** Units of plain texts, and of texts that break careless code. */
const units = [
	"x",
	"plain words ",
	"😀",
	"e\u0301",
	"half \ud83d",
	"\u202eabc\u202c",
	"\u2028",
	"line\r\n",
	'[expl "fake", evicted 9k] ',
	'--- "a#1" result, lines 1-2 of 3\n',
	"\u0000\u001b[31m",
	"__proto__ ",
	"<thinking>",
	" ",
];

/** A text of so many characters, the same for the same arguments; a flavour that is no unit's is plain. */
export function hostileText(length: number, flavour: number): string {
	const unit = units[flavour] ?? "x";
	return unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
}

/** More than there are units, so that half of the texts are plain. */
const FLAVOURS = 32;

/** The text of an item, a character for four of its tokens; a blank one has none, or blanks. */
function textOf({ tokens, ...item }: ItemDraft, flavour: number): string {
	if ("isBlank" in item && item.isBlank) return " ".repeat(flavour % 3);
	return hostileText(Math.ceil(tokens / 4), flavour % FLAVOURS);
}
