/**
 * The default policy with a mark of a few tokens where calls left an episode, instead of nothing: the first of a pass
 * names what they were. A variant, to hold the choice between the two against figures.
 */

import type { Pass, Strip } from "#core/log";
import { cwl, type PlanInput, type Policy } from "#core/planning";
import { quote } from "#core/projection";
import { digestOf, type ItemId, type ToolCall } from "#core/transcript";
import { enginePolicy } from "./engine.ts";
import { defineKind } from "./knobs.ts";

/** Calls that a mark names; of more it tells the number. */
const MAX_NAMED = 3;

export const cwlMarks = defineKind("cwl-marks", {}, (name) =>
	enginePolicy(name, () => markCalls(name), { canRecall: true }),
);

function markCalls(name: string): Policy {
	return {
		name,
		plan(input) {
			const pass = cwl.plan(input);
			return pass && addMarks(input, { ...pass, policy: name });
		},
	};
}

function addMarks(input: PlanInput, pass: Pass): Pass {
	const calls = new Map<ItemId, ToolCall>();
	for (const { items } of input.graph.messages) {
		for (const item of items) if (item.type === "call") calls.set(item.id, item);
	}
	const strips = pass.strips.map((strip) => addMark(input, strip, calls));
	const added = strips.reduce((sum, { marker }, index) => {
		return sum + (marker && !pass.strips[index]?.marker ? marker.tokens : 0);
	}, 0);
	return { ...pass, strips, after: pass.after + added };
}

/** Marks are fixed: an episode that has one keeps it until its line comes. */
function addMark(
	{ view, countMarker }: PlanInput,
	strip: Strip,
	calls: ReadonlyMap<ItemId, ToolCall>,
): Strip {
	const taken = strip.items.flatMap((id) => calls.get(id) ?? []);
	const [first] = taken;
	if (strip.marker || strip.level === 4 || !first || view.episodes.get(strip.episode)?.marker) return strip;
	const named = taken.slice(0, MAX_NAMED).map(describe);
	const rest = taken.length > named.length ? ` and ${taken.length - named.length} more` : "";
	const text = `[evicted: ${named.join(", ")}${rest}]`;
	return { ...strip, marker: { anchor: first.id, text, tokens: countMarker(text) } };
}

function describe(call: ToolCall): string {
	const [path] = digestOf(call)?.paths ?? [];
	return path === undefined ? call.tool : `${call.tool} ${quote(path)}`;
}
