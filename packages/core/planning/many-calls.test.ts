/** One answer with thousands of calls: the work of a pass grows with their number, and not with its square. */
import { expect, test } from "vitest";
import { viewOfLog } from "../log/view.ts";
import { cwl } from "../policies/cwl.ts";
import { paperAdapted } from "../policies/paper.ts";
import * as draft from "../test-support/message-builders.ts";
import { countMarker, planInput } from "../test-support/simulation.ts";
import { expl } from "../test-support/small-sessions.ts";
import { planEpisode } from "./manual-pass.ts";
import { planPass } from "./plan.ts";
import type { PlanInput } from "./policy.ts";

const RESULT_TOKENS = 90;

/** The input of a plan over an answer with this many calls, and how often the plan looked at a call, asked whether an item is removed, or counted a line. */
function openAnswer(count: number, isMarked: boolean) {
	let looks = 0;
	const digest = {
		lines: [],
		get paths() {
			looks += 1;
			return ["src/a.ts"];
		},
	};
	class Removed extends Set<string> {
		override has(id: string) {
			looks += 1;
			return super.has(id);
		}
	}
	const calls = Array.from({ length: count }, (_, n) => ({ ...draft.call(`c${n}`, "read"), digest }));
	const answer = draft.answered(RESULT_TOKENS, ...calls);
	const ending = [draft.person(), ...draft.answered(400, draft.call("last", "read"))];
	const graph = draft.fold(draft.person(), ...(isMarked ? expl("look", ...answer) : answer), ...ending);
	const input = planInput(graph, {
		budget: 0.6 * count * RESULT_TOKENS,
		view: { ...viewOfLog([]), removed: new Removed() },
		countMarker(text) {
			looks += 1;
			return countMarker(text);
		},
	});
	return { input, looks: () => looks };
}

const plans: Readonly<Record<string, (input: PlanInput) => unknown>> = {
	"the default": (input) => planPass(cwl, input),
	"the default when it is cold": (input) => planPass(cwl, { ...input, isCold: true }),
	"Algorithm 1, adapted": (input) => planPass(paperAdapted, input),
	"a budget that is out of reach": (input) => planPass(cwl, { ...input, budget: 500 }),
	"a component over its limit": (input) =>
		planPass(cwl, { ...input, relief: [{ component: "toolResults", excess: input.budget / 3 }] }),
	"one episode": (input) =>
		planEpisode(input, draft.episodeOf(input.graph, input.graph.episodes[0]?.name ?? "")),
};

const cases = Object.keys(plans).flatMap((name) => [
	{ name, isMarked: false, of: "unmarked work" },
	{ name, isMarked: true, of: "an episode" },
]);

test.each(cases)("$name looks at the calls of $of as often as there are calls", ({ name, isMarked }) => {
	const looksFor = (count: number) => {
		const { input, looks } = openAnswer(count, isMarked);
		expect(plans[name]?.(input)).toBeDefined();
		return looks();
	};
	const few = looksFor(200);
	expect(few).toBeGreaterThan(200);
	expect(looksFor(1_600) / few).toBeLessThan(12);
});
