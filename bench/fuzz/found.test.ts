/** Small scripts that once broke a rule, as the campaign found them. */
import { expect, test } from "vitest";
import { runScript } from "./session-run.ts";
import { compactions } from "./test-support/found/compactions.ts";
import { limits } from "./test-support/found/limits.ts";
import { loops } from "./test-support/found/loops.ts";
import { reasoning } from "./test-support/found/reasoning.ts";

test.each([...reasoning, ...compactions, ...loops, ...limits])(
	"$name keeps the rules",
	({ name: _, ...found }) => {
		const settings = { model: 0, policy: 0, outputs: 0, components: 0, fading: 0, bindsThinking: false };
		const script = { ...settings, budget: 300, ...found };
		expect(runScript(script).operations).toBe(found.operations.length);
	},
);
