import { testRules } from "../test-support/test-rules.ts";
import { rule2 } from "./02-whole-calls.ts";
import { rule3 } from "./03-persons.ts";
import { rule4 } from "./04-prologue-and-active.ts";
import { rule5 } from "./05-dependencies.ts";
import { rule7 } from "./07-rising-levels.ts";
import { rule8 } from "./08-budget-or-blockers.ts";
import { rule9 } from "./09-never-larger.ts";
import { rule10 } from "./10-determinism.ts";
import { rule11 } from "./11-prefix.ts";
import { rule12 } from "./12-recall.ts";
import { rule15 } from "./15-fallback.ts";
import { keptFigures } from "./kept-figures.ts";

testRules([
	...[rule2, rule3, rule4, rule5, rule7, rule8, rule9, rule10].flat(),
	...[rule11, rule12, rule15, keptFigures].flat(),
]);
