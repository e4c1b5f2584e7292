/** Tests of rules that share their simulations. */
import { beforeAll, test } from "vitest";
import { brokenRules, forEveryRequestUnder, type Rule } from "./simulation.ts";

/** Makes a test of each rule. A rule that is broken is drawn again by itself, which shrinks what breaks it. */
export function testRules(rules: readonly Rule[]) {
	let broken: ReturnType<typeof brokenRules> = new Map();
	beforeAll(() => {
		broken = brokenRules(rules);
	});
	for (const rule of rules) {
		test(rule.title, () => {
			if (!broken.has(rule)) return;
			forEveryRequestUnder(rule.draws, rule.check);
			throw broken.get(rule);
		});
	}
}
