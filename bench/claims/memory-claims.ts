/** The claims of the article on agent memory (seed 003). */
import { byName, type Claim, needsModel, percent, ratio, tested } from "./claim.ts";
import type { DecisionFigures } from "./sources.ts";

const PLACE = "memory article";

/** The findings whose subject and first place the last request still names, over all sessions of a budget. */
function answeredAt(runs: readonly DecisionFigures[], budget: number) {
	const own = runs.filter((run) => run.budget === budget);
	const sum = (of: (run: DecisionFigures) => number) => own.reduce((total, run) => total + of(run), 0);
	const [places, questions] = [sum(({ answers }) => answers.places), sum(({ answers }) => answers.questions)];
	return questions === 0 ? undefined : { share: places / questions, text: `${places} of ${questions}` };
}

export const memoryClaims: readonly Claim[] = [
	tested(
		PLACE,
		"A tree of summary nodes (leaves of 3k tokens, fan-out 8) still answers about the past",
		"decisions",
		(runs) => {
			const [small, large] = [answeredAt(runs, 16_000), answeredAt(runs, 40_000)];
			if (!small || !large) return undefined;
			const held = [small, large].filter(({ share }) => share >= 0.9).length;
			return {
				figure: `the last request of sessions of 60 tasks names subject and place of ${small.text} findings at 16k, ${large.text} at 40k, from extracts and without a model`,
				verdict: held === 2 ? "reproduced" : held === 1 ? "in part" : "contradicted",
			};
		},
	),
	tested(PLACE, "A stable prefix with everything dynamic behind it saves substantially", "tasks", (runs) => {
		const [cwl, paper, cost] = [
			byName(runs, "cwl-80k"),
			byName(runs, "paper-80k"),
			ratio(runs, "cwl-80k", "paper-80k"),
		];
		if (cwl?.cachedShare == null || paper?.cachedShare == null || cost === undefined) return undefined;
		return {
			figure: `${percent(cwl.cachedShare)} of the input is read from the cache under \`cwl\`, which changes the prefix in few large passes, ${percent(paper.cachedShare)} under \`paper\`; \`cwl\` costs ${percent(cost)} of it`,
			verdict:
				cwl.cachedShare > paper.cachedShare && cost < 0.8
					? "reproduced"
					: cost < 1
						? "in part"
						: "contradicted",
		};
	}),
	tested(
		PLACE,
		"A managed context has a peak of 26 to 54 % fewer tokens at over 95 % of the accuracy (ACON)",
		"tasks",
		(runs) => {
			const [none, cwl] = [byName(runs, "none"), byName(runs, "cwl-80k")];
			if (!none || !cwl) return undefined;
			const less = 1 - cwl.peakContext / none.peakContext;
			const isAccurate = cwl.solved >= 0.95 * none.solved;
			return {
				figure: `peak ${percent(less)} lower under \`cwl\`, by eviction and as its budget of 80k says; solved ${cwl.solved} and ${none.solved}`,
				verdict: less >= 0.26 && isAccurate ? "reproduced" : isAccurate ? "in part" : "contradicted",
			};
		},
	),
	needsModel(
		PLACE,
		"A model that succeeds at 59 minutes half of the time succeeds at 15 minutes 80 % of the time; one wrong call raises the chance of the next by 22.7 points",
		"how models succeed is not in a script",
	),
	needsModel(
		PLACE,
		"Vectors with a graph and summaries answer 26 % better than vectors alone; plan caching costs 50 % less; AgentFold reaches 36.2 % on BrowseComp",
		"all three are shares of answers of a model",
	),
	needsModel(
		PLACE,
		"A few thousand tokens of curated Markdown beat thousands of retrieved fragments",
		"the project memory (docs/memory.md) is such a file of at most 1,500 tokens; what a model makes of it takes a model",
	),
	needsModel(
		PLACE,
		"After a long gap a soft resume is almost always right",
		"its first request is smaller (extensions/cwl/soft-resume.e2e.test.ts); whether it is right takes a model",
	),
];
