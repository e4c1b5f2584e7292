/**
 * docs/claims.md: claims of the sources, each with a function from kept figures to a verdict. What was tested once, by a program that
 * has left the tree, is history with its date (`claims-history.json`); what takes a model is a list.
 */
import HISTORY from "./claims-history.json" with { type: "json" };
import type { Kept } from "./kept.ts";
import { figureAt, fillFigures } from "./text.ts";

type Verdict = "reproduced" | "in part" | "contradicted";

interface Claim {
	readonly claim: string;
	readonly place: string;
	/** With figures in braces. */
	readonly figure: string;
	readonly judge: (value: (path: string) => number) => Verdict;
}

/** Figures that differ by less than 2 % are the same. */
const SAME = 0.02;
const isBelow = (ratio: number, limit = 1) => ratio < limit - SAME;
const isAbove = (ratio: number, limit = 1) => ratio > limit + SAME;
const isNotBelow = (ratio: number) => !isBelow(ratio);

const whether = (whole: boolean, part = false): Verdict =>
	whole ? "reproduced" : part ? "in part" : "contradicted";

export const claims: readonly Claim[] = [
	{
		claim: "One session does 89 tasks over 80 million tokens as accurately as isolated sessions",
		place: "paper, abstract and 6.3",
		figure:
			"`cwl` {normal:cwl-80k.solved} of {normal:cwl-80k.tasks} over {normal:cwl-80k.tokens:million} tokens, isolated {normal:isolated.solved}",
		judge(value) {
			const isAccurate = isNotBelow(value("normal:cwl-80k/isolated.solved"));
			return whether(isAccurate && value("normal:cwl-80k.tokens") >= 80e6, isAccurate);
		},
	},
	{
		claim: "20 to 70 % cheaper than an uncapped session",
		place: "paper 5 and 6.3",
		figure:
			"`paper` {budgets:paper-80k/none.cost:change}, `cwl` {budgets:cwl-80k/none.cost:change}, with an imagined window for the uncapped session",
		judge(value) {
			const paper = value("budgets:paper-80k/none.cost");
			return whether(paper >= 0.3 && paper <= 0.8, isBelow(paper));
		},
	},
	{
		claim: "The same, on recorded sessions",
		place: "paper 5 and 6.3",
		figure:
			"`paper` {recorded-80k:paper.cost:change}, `cwl` {recorded-80k:cwl.cost:change} in {recorded-80k:sessions.pressed} sessions above 80k tokens",
		judge(value) {
			const paper = value("recorded-80k:paper.cost");
			return whether(paper >= 0.3 && paper <= 0.8, isBelow(paper));
		},
	},
	{
		claim: "Inference costs 23 % less than with compaction",
		place: "paper 6.5",
		figure:
			"hard tasks: `paper` {hard:paper-80k/compaction-80k.cost:change}; normal tasks: `cwl` {normal:cwl-80k/compaction-80k.cost:change} at 80k, and {normal:cwl-80k/compaction-40k.cost:change} against compaction at 40k; without marks {normal:cwl-unmarked-100-80k/compaction-80k.cost:change}",
		judge: (value) =>
			whether(
				isBelow(value("hard:paper-80k/compaction-80k.cost")),
				isBelow(value("normal:cwl-80k/compaction-80k.cost")),
			),
	},
	{
		claim: "50k costs up to 3 times less than 120k (2.4 times in its figure)",
		place: "paper 6.4",
		figure:
			"120k costs {budgets:paper-120k/paper-50k.cost:times} times as much as 50k under `paper`, {budgets:cwl-120k/cwl-50k.cost:times} times under `cwl`",
		judge(value) {
			const times = value("budgets:paper-120k/paper-50k.cost");
			return whether(times >= 2 && times <= 3, isAbove(times));
		},
	},
	{
		claim: "At 50k the agent explores again what was evicted, and solves as many tasks",
		place: "paper 6.4",
		figure:
			"repeated reads and searches {budgets:paper-50k.readAgain} at 50k, {budgets:paper-120k.readAgain} at 120k; solved {budgets:paper-50k.solved} and {budgets:paper-120k.solved}",
		judge(value) {
			const isMore = isAbove(value("budgets:paper-50k/paper-120k.readAgain"));
			return whether(isMore && isNotBelow(value("budgets:paper-50k/paper-120k.solved")), isMore);
		},
	},
	{
		claim: "At 50k the time for a task grows up to twofold",
		place: "paper 6.4",
		figure:
			"50k takes {budgets:paper-50k/paper-120k.minutes:times} times the modeled time of 120k under `paper`",
		judge(value) {
			const times = value("budgets:paper-50k/paper-120k.minutes");
			return whether(isAbove(times) && !isAbove(times, 2), isAbove(times));
		},
	},
	{
		claim: "Above 120k cost rises without more solved tasks",
		place: "paper 6.4",
		figure:
			"uncapped costs {budgets:none/paper-120k.cost:times} times 120k under `paper`; solved {budgets:none.solved} and {budgets:paper-120k.solved}",
		judge(value) {
			const isDearer = isAbove(value("budgets:none/paper-120k.cost"));
			return whether(isDearer && !isAbove(value("budgets:none/paper-120k.solved")));
		},
	},
	{
		claim: "Evicting on every overflow breaks the cached prefix more often than compaction",
		place: "paper 5",
		figure:
			"{recorded-80k:paper.breaks} breaks under `paper`, {recorded-80k:compaction.breaks} under compaction, {recorded-80k:cwl.breaks} under `cwl`",
		judge: (value) => whether(isAbove(value("recorded-80k:paper/compaction.breaks"))),
	},
	{
		claim: "In the worst case eviction costs more than it saves",
		place: "paper 5",
		figure:
			"`paper` costs {budgets:paper-80k/none.cost:percent} of never evicting on normal tasks, {recorded-80k:paper.cost:percent} on recorded sessions; `cwl` costs more than 1.02 times as much in {recorded-auto:cwl.dearer} recorded sessions",
		judge: (value) =>
			whether(
				isAbove(value("budgets:paper-80k/none.cost")) || isAbove(value("recorded-80k:paper.cost")),
				value("recorded-80k:paper.dearer") > 0,
			),
	},
	{
		claim: "The policy is only as good as the annotations that it reads",
		place: "paper 5",
		figure:
			"with no episode ended `cwl` costs {marks:cwl-never-ended-100-80k.cost:dollars}, with none marked {marks:cwl-unmarked-100-80k.cost:dollars}, intact {hard:cwl-80k.cost:dollars}; it solves {marks:cwl-never-ended-100-80k.solved}, {marks:cwl-unmarked-100-80k.solved} and {hard:cwl-80k.solved}",
		judge(value) {
			const isWorse = value("marks:cwl-unmarked-100-80k.solved") < value("hard:cwl-80k.solved") - 1;
			const isDearer = value("marks:cwl-never-ended-100-80k.cost") > (1 + SAME) * value("hard:cwl-80k.cost");
			return whether(isWorse && isDearer, isWorse || isDearer);
		},
	},
	{
		claim: "A dropped dependency or a flipped kind loses context that the agent still needs",
		place: "paper 5",
		figure:
			"solved under `cwl`: intact {hard:cwl-80k.solved}, dependencies dropped {marks:cwl-dependencies-dropped-100-80k.solved}, flipped {marks:cwl-flipped-100-80k.solved}; cost {hard:cwl-80k.cost:dollars}, {marks:cwl-dependencies-dropped-100-80k.cost:dollars}, {marks:cwl-flipped-100-80k.cost:dollars}",
		judge(value) {
			const intact = value("hard:cwl-80k.solved");
			const lost = ["dependencies-dropped", "flipped"].filter(
				(fault) => value(`marks:cwl-${fault}-100-80k.solved`) < intact - 1,
			);
			return whether(lost.length === 2, lost.length === 1);
		},
	},
	{
		claim: "80 % of the tokens of a long task are spent on content that the agent no longer needs",
		place: "window article 1",
		figure:
			"a session for each of {budgets:isolated.tasks} independent tasks solves {budgets:isolated.solved} with {budgets:isolated.tokens:million} tokens, one session that keeps everything {budgets:none.solved} with {budgets:none.tokens:million}: {budgets:isolated/none.tokens:less} less",
		judge(value) {
			const isAccurate = isNotBelow(value("budgets:isolated/none.solved"));
			return whether(isAccurate && value("budgets:isolated/none.tokens") <= 0.2, isAccurate);
		},
	},
	{
		claim: "Delegation to a clean context is the most expensive step",
		place: "window article 4 and 9",
		figure:
			"a clean context for each of {normal:isolated.tasks} tasks costs {normal:isolated/cwl-80k.cost:percent} of one session under `cwl`; requests of a parent are not counted",
		judge: (value) => whether(isAbove(value("normal:isolated/cwl-80k.cost"))),
	},
	{
		claim: "A stable prefix with everything dynamic behind it saves substantially",
		place: "memory article",
		figure:
			"{budgets:cwl-80k.cached:percent} of the input is read from the cache under `cwl`, {budgets:paper-80k.cached:percent} under `paper`; `cwl` costs {budgets:cwl-80k/paper-80k.cost:percent} of it",
		judge(value) {
			const ratio = value("budgets:cwl-80k/paper-80k.cost");
			return whether(isAbove(value("budgets:cwl-80k/paper-80k.cached")) && ratio < 0.8, isBelow(ratio));
		},
	},
	{
		claim: "A managed context has a peak of 26 to 54 % fewer tokens at over 95 % of the accuracy (ACON)",
		place: "memory article",
		figure:
			"peak {budgets:cwl-80k/none.largest:less} lower under `cwl` at 80k; solved {budgets:cwl-80k.solved} and {budgets:none.solved}",
		judge(value) {
			const isAccurate = value("budgets:cwl-80k/none.solved") >= 0.95;
			return whether(isAccurate && value("budgets:cwl-80k/none.largest") <= 0.74, isAccurate);
		},
	},
];

/** The page as Markdown. Ends with a newline. */
export function formatClaims(kept: Kept): string {
	const { tested, open } = HISTORY;
	const judged = claims.map(({ claim, place, figure, judge }) => {
		return {
			cells: [claim, place, fillFigures(kept, figure)],
			verdict: judge((path) => figureAt(kept, path)),
		};
	});
	const count = (wanted: Verdict) => judged.filter(({ verdict }) => verdict === wanted).length;
	const files = [...new Set(claims.flatMap(({ figure }) => figure.match(/(?<=\{)[\w-]+(?=:)/g) ?? []))];
	return [
		"# What the sources claim, and what we measure",
		"",
		`${judged.length} claims are judged by the kept figures: ${count("reproduced")} reproduced, ${count("in part")} in part, ${count("contradicted")} contradicted. ${tested.length} were tested once; ${open.length} take a model.`,
		"",
		"`npm run bench -- tables --only none` makes this page: each verdict is a function of figures in `bench/results` (bench/tables/claims.ts). Sources: the paper (Semenov and Dorofeev,",
		"*Beyond Compaction*, 2026), an article on context windows, one on agent memory, and a page on reduced memory.",
		"",
		"| claim | where | our figure | verdict |",
		"|---|---|---|---|",
		...judged.map(({ cells, verdict }) => `| ${cells.join(" | ")} | ${verdict} |`),
		"",
		`Runs: ${[...new Set(files.map((name) => `${kept.get(name)?.date}, commit ${kept.get(name)?.commit}`))].join("; ")}. Their commands are in \`bench/results\`: ${files.join(", ")}.`,
		"",
		"## Tested once",
		"",
		"By programs that have left the repository, so that no command makes these figures again.",
		"",
		...tested.map(
			({ claim, place, date, verdict, figure }) => `- ${date}: ${claim} (${place}): ${verdict}. ${figure}.`,
		),
		"",
		"## What only a model can decide",
		"",
		...open.map((claim) => `- ${claim}`),
		"",
	].join("\n");
}
