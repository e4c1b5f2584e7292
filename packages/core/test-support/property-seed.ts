/** Property tests draw by the seed of this run, so that a run of the same tree draws the same; see vitest.config.ts. */
import fc from "fast-check";

fc.configureGlobal({ seed: Number(process.env.CWL_PROPERTY_SEED) });
