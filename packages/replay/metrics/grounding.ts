/** How much of what the recorded steps needed was still in the request that a policy would have sent, and page faults. */
import { findFileNames, findIdentifiers } from "#core/transcript";
import { contentText, type HostMessage, toolCallsOf } from "#pi/codec";
import type { ReplyMessage } from "../recording/recording.ts";
import { type Alignment, ageOf } from "./alignment.ts";
import type { Need } from "./needs.ts";
import { type Place, readPassages, squash } from "./passages.ts";
import { addUp } from "./traffic.ts";

export interface GroundingCount {
	readonly needed: number;
	/** Of those, in the request. */
	readonly kept: number;
}

export type GroundingKind = "edit" | "editCross" | "self" | "path" | "ident" | "conclusion";

/** By kind of need. `editCross` counts those edits again whose text was last shown before the last user turn. */
export type Grounding = Readonly<Record<GroundingKind, GroundingCount>>;

export const emptyGrounding: Grounding = mapKinds(() => ({ needed: 0, kept: 0 }));

/**
 * Counts, by kind, which needs of one request what is left of its history meets. `missing` are the other needs, without
 * conclusions: no step uses these word for word.
 */
export function countGrounding(
	needs: readonly Need[],
	history: readonly HostMessage[],
	alignment: Alignment,
): { readonly grounding: Grounding; readonly missing: readonly Need[] } {
	if (needs.length === 0) return { grounding: emptyGrounding, missing: [] };
	// The lines that stand for evicted content, and the summary that a policy wrote.
	const added = [...alignment.markers, ...alignment.strangers].flatMap((message) => readPassages(message, 0));
	const lines = added.map(({ text }) => text).join("\n");
	const injected = new Set([...findFileNames(lines), ...findIdentifiers(lines)]);
	const shown = needs.some(isConclusion) ? bare(lines) : "";
	const checked = needs.map((need) => {
		const { name, text } = need;
		const isQuoted = isConclusion(need) && text !== undefined && shown.includes(bare(text));
		const isInjected = isQuoted || (name !== undefined && injected.has(name));
		const isKept = isInjected || need.sources.some((place) => isPresent(history, alignment, place, need));
		return { need, isKept };
	});
	const grounding = mapKinds((kind) => {
		const needed = checked.filter(({ need }) => (kind === "editCross" ? need.isCross : need.kind === kind));
		return { needed: needed.length, kept: needed.filter(({ isKept }) => isKept).length };
	});
	const missing = checked.filter(({ need, isKept }) => !isKept && !isConclusion(need));
	return { grounding, missing: missing.map(({ need }) => need) };
}

const isConclusion = ({ kind }: Need): boolean => kind === "conclusion";

/** A text as it is compared, without what quoting adds to it. */
function bare(text: string): string {
	return squash(text).replace(/\\n|[\\"]/g, "");
}

function isPresent(
	history: readonly HostMessage[],
	{ kept }: Alignment,
	{ message, block }: Place,
	need: Need,
): boolean {
	const whole = history[message];
	const left = kept[message];
	if (!whole || !left) return false;
	if (left.role === "assistant" && whole.role === "assistant")
		return whole.content.slice(block, block + 1).some((own) => left.content.includes(own));
	// An output that was shortened when it arrived, or reduced since, may still show the needed text.
	const isChanged =
		left.role === "toolResult" && whole.role === "toolResult" && left.content !== whole.content;
	return !isChanged || shows(contentText(left.content), need);
}

function shows(shown: string, { name, text }: Need): boolean {
	if (text !== undefined) return squash(shown).includes(text);
	return name !== undefined && (findFileNames(shown).has(name) || findIdentifiers(shown).has(name));
}

/** Texts that steps used word for word, each need once: `editCross` is among the edits already. */
export function totalGrounding({ edit, self, path, ident }: Grounding): GroundingCount {
	return [self, path, ident].reduce<GroundingCount>(addUp, edit);
}

function mapKinds(make: (kind: GroundingKind) => GroundingCount): Grounding {
	return {
		edit: make("edit"),
		editCross: make("editCross"),
		self: make("self"),
		path: make("path"),
		ident: make("ident"),
		conclusion: make("conclusion"),
	};
}

export interface Faults {
	/** Outputs that left the request, or were reduced. Each counts once. */
	readonly evicted: number;
	/** Calls that repeat one whose output was gone. */
	readonly faults: number;
}

export const noFaults: Faults = { evicted: 0, faults: 0 };

/** Measures the requests of one session in turn: what each evicted, and which of its reply's calls fault. */
export function createFaultMeter() {
	const callKeys = new Map<string, string>();
	const lastOutputs = new Map<string, HostMessage>();
	const evicted = new Set<HostMessage>();
	let read = 0;
	return (history: readonly HostMessage[], { kept }: Alignment, reply: ReplyMessage): Faults => {
		for (const message of history.slice(read)) {
			if (message.role === "assistant") for (const [id, key] of callsOf(message)) callKeys.set(id, key);
			if (message.role === "toolResult") lastOutputs.set(callKeys.get(message.toolCallId) ?? "", message);
		}
		read = history.length;
		const before = evicted.size;
		for (const [index, message] of history.entries()) {
			if (message.role !== "toolResult") continue;
			const left = kept[index];
			if (left === undefined || ageOf(left) > 0) evicted.add(message);
			// A policy may bring back what it evicted.
			else evicted.delete(message);
		}
		const outputs = callsOf(reply).map(([, key]) => lastOutputs.get(key));
		const faults = outputs.filter((output) => output !== undefined && evicted.has(output)).length;
		return { evicted: Math.max(0, evicted.size - before), faults };
	};
}

/** The id of each call, and what makes it the same as another. */
function callsOf(reply: ReplyMessage): readonly (readonly [id: string, key: string])[] {
	return toolCallsOf(reply).map(({ id, name, arguments: args }) => [id, `${name} ${JSON.stringify(args)}`]);
}
