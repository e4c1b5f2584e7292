/** Tests of rules that share their simulations. */
import { beforeAll, test } from "vitest";
import { brokenRules, forEveryRequestUnder, type Rule } from "./simulation.ts";

/** Time in ms for all rules at once, and for one that is broken to be shrunk. */
const timeout = 600_000;

/** Makes a test of each rule. A rule that is broken is drawn again by itself, which shrinks what breaks it. */
export function testRules(rules: readonly Rule[]) {
	let broken: ReturnType<typeof brokenRules> = new Map();
	beforeAll(() => {
		broken = brokenRules(rules);
	}, timeout);
	for (const rule of rules) {
		test(rule.title, { timeout }, () => {
			if (!broken.has(rule)) return;
			forEveryRequestUnder(rule.draws, rule.check);
			throw broken.get(rule);
		});
	}
}
