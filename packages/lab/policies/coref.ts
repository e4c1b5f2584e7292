/**
 * Pruning of outputs whose identifiers nobody used again (`coref`, as context-guru describes it): above the budget the outputs
 * that no later reply referred to leave first, oldest first, then the others by the time since one did.
 * Departures: a reference is a file name or identifier that few blocks show (`references.ts`); a pass goes down to a low water
 * in one batch, since the description leaves its size open.
 */
import { LOW_WATER, scoringPolicy } from "./blocks.ts";
import { defineKind } from "./knobs.ts";
import { createReferences } from "./references.ts";

/** Above every age in requests. */
const USED = 1e9;

export const coref = defineKind("coref", { low: LOW_WATER }, (name, { low }) =>
	scoringPolicy(name, low, (texts) => {
		const references = createReferences(texts);
		return ({ graph, blocks }) => {
			references.follow(graph);
			return blocks.map((block) => {
				const isUnused = block.type === "output" && references.count(block) === 0;
				return isUnused ? -block.age : USED - references.idle(block);
			});
		};
	}),
);
