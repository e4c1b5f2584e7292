/** How much of what the recorded steps needed was still in the request that a policy would have sent. */
import { contentText, type HostMessage, isAnswer } from "#pi/codec";
import type { Alignment } from "./alignment.ts";
import { findNames, type Need } from "./needs.ts";
import { type Place, readPassages, squash } from "./passages.ts";
import { addUp } from "./traffic.ts";

export interface GroundingCount {
	readonly needed: number;
	/** Of those, in the request. */
	readonly kept: number;
}

/** By kind of need. */
export type Grounding = Readonly<Record<Need["kind"], GroundingCount>>;

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
	const injected = findNames(lines);
	const shown = needs.some(isConclusion) ? bare(lines) : "";
	const checked = needs.map((need) => {
		const { name, text } = need;
		const isQuoted = isConclusion(need) && text !== undefined && shown.includes(bare(text));
		const isInjected = isQuoted || (name !== undefined && injected.has(name));
		const isKept = isInjected || need.sources.some((place) => isPresent(history, alignment, place, need));
		return { need, isKept };
	});
	const grounding = mapKinds((kind) => {
		const needed = checked.filter(({ need }) => need.kind === kind);
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
	if (isAnswer(left) && isAnswer(whole))
		return whole.content.slice(block, block + 1).some((own) => left.content.includes(own));
	// An output that was shortened when it arrived, or reduced since, may still show the needed text.
	const isChanged =
		left.role === "toolResult" && whole.role === "toolResult" && left.content !== whole.content;
	return !isChanged || shows(contentText(left.content), need);
}

function shows(shown: string, { name, text }: Need): boolean {
	if (text !== undefined) return squash(shown).includes(text);
	return name !== undefined && findNames(shown).has(name);
}

/** Texts that steps used word for word. */
export function totalGrounding({ edit, own, name }: Grounding): GroundingCount {
	return [own, name].reduce<GroundingCount>(addUp, edit);
}

function mapKinds(make: (kind: Need["kind"]) => GroundingCount): Grounding {
	return { edit: make("edit"), own: make("own"), name: make("name"), conclusion: make("conclusion") };
}
