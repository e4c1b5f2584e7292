/**
 * Property tests draw by the seed of this run, so that a run of the same tree draws the same; see vitest.config.ts.
 * `CWL_PROPERTY_RUNS` sets how often they draw; with `CWL_PROPERTY_SHRINK=no` nobody looks for a smaller case.
 */
import fc from "fast-check";

const { CWL_PROPERTY_SEED, CWL_PROPERTY_RUNS, CWL_PROPERTY_SHRINK } = process.env;

fc.configureGlobal({
	seed: Number(CWL_PROPERTY_SEED),
	endOnFailure: CWL_PROPERTY_SHRINK === "no",
	...(CWL_PROPERTY_RUNS && { numRuns: Number(CWL_PROPERTY_RUNS) }),
});
