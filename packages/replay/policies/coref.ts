/**
 * Pruning of outputs whose identifiers nobody used again (`coref`, as context-guru describes it): above the budget the outputs
 * that no later reply referred to leave first, oldest first, then the others by the time since one did.
 * Departures: a reference is a file name or identifier that few items show (`findReferences`); a pass goes down to a low water
 * in one batch, since the description leaves its size open.
 */
import { batchPolicy, findReferences } from "#core/planning";

/** Above every age in requests. */
const USED = 1e9;

export const coref = batchPolicy("coref", {
	createScore(scene) {
		const references = findReferences(scene);
		return (candidate) => {
			const idle = references.idle(candidate);
			return candidate.type === "output" && references.count(candidate) === 0 ? -idle : USED - idle;
		};
	},
});
