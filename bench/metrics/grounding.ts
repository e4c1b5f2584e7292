/** How much of what the recorded steps needed was still in the request that a policy would have sent. */
import type { HostMessage } from "../../packages/host/host-message.ts";
import { type Alignment, hasBlock } from "./alignment.ts";
import { findFileNames, findIdentifiers } from "./names.ts";
import type { Need } from "./needs.ts";
import { type Place, readPassages } from "./passages.ts";

export interface GroundingCount {
	readonly needed: number;
	/** Of those, in the request. */
	readonly kept: number;
	/** Of those that are gone, within reach of a recall. */
	readonly recallable: number;
}

/** By kind of need; `editCross` counts the edits again whose latest sighting is older than the last user turn. */
export type Grounding = Readonly<Record<GroundingKind, GroundingCount>>;

type GroundingKind = "edit" | "editCross" | "self" | "path" | "ident";

/** Count the needs of one request against what is left of its history. */
export function countGrounding(
	needs: readonly Need[],
	history: readonly HostMessage[],
	alignment: Alignment,
	canRecall: boolean,
): Grounding {
	const isKept = (place: Place) => isPresent(history, alignment, place);
	const told = namesIn(alignment);
	const isTold = ({ name }: Need) => name !== undefined && told.has(name);
	const counted = needs.map((need) => ({ need, kept: need.sources.some(isKept) || isTold(need) }));
	const count = (is: (need: Need) => boolean): GroundingCount => {
		const needed = counted.filter(({ need }) => is(need));
		const kept = needed.filter((each) => each.kept).length;
		return { needed: needed.length, kept, recallable: canRecall ? needed.length - kept : 0 };
	};
	return {
		edit: count(({ kind }) => kind === "edit"),
		editCross: count(({ isCross }) => isCross),
		self: count(({ kind }) => kind === "self"),
		path: count(({ kind }) => kind === "path"),
		ident: count(({ kind }) => kind === "ident"),
	};
}

/** What the lines that stand for evicted content name, and the summary that a policy wrote. */
function namesIn({ markers, strangers }: Alignment): ReadonlySet<string> {
	const text = [...markers, ...strangers]
		.flatMap((message) => readPassages(message, 0))
		.map((each) => each.text);
	return new Set(text.flatMap((each) => [...findFileNames(each), ...findIdentifiers(each)]));
}

function isPresent(history: readonly HostMessage[], { kept }: Alignment, { message, block }: Place): boolean {
	const whole = history[message];
	const left = kept[message];
	if (!whole || !left) return false;
	return left === whole || hasBlock(left, whole, block);
}

/** Add up the groundings of many requests. */
export function sumGrounding(all: readonly Grounding[]): Grounding {
	const add = (kind: GroundingKind): GroundingCount => ({
		needed: all.reduce((sum, each) => sum + each[kind].needed, 0),
		kept: all.reduce((sum, each) => sum + each[kind].kept, 0),
		recallable: all.reduce((sum, each) => sum + each[kind].recallable, 0),
	});
	return {
		edit: add("edit"),
		editCross: add("editCross"),
		self: add("self"),
		path: add("path"),
		ident: add("ident"),
	};
}
