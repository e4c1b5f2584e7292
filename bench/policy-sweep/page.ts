/** docs/policy-sweep.md: a verdict from the figures, the figure, and a table for each kind of run. */
import { type Choice, markdownTable, paretoFront } from "#lab";
import { formatTokens } from "#pi";
import type { ResultsFile } from "../results-file.ts";
import type { SessionPoint, SweepFigures, TaskPoint } from "./figures.ts";

/** As Markdown. Ends with a newline. */
export function formatSweepDoc({
	figures,
	command,
	date,
	commit,
	machine,
}: ResultsFile<SweepFigures>): string {
	const { tasks, sessions } = figures;
	const hard = tasks.filter(({ difficulty }) => difficulty === "hard");
	const normal = tasks.filter(({ difficulty }) => difficulty === "normal");
	return [
		"# What each policy costs under each budget, and what it loses",
		"",
		...judge(normal, hard, sessions.points),
		"",
		"![Solved tasks, modeled time by cost, and edits kept by cost, for each policy and budget](policy-sweep.svg)",
		"",
		`Made by \`${command}\` (${date}, commit ${commit}, ${machine.cpu}, ${machine.cores} cores, Node ${machine.node}); \`npm run bench -- policy-sweep --help\``,
		"says what it runs. **Front**: no other row of the table with as many seeds is cheaper and at least as good.",
		"",
		...(normal.length > 0 ? describeTasks("89 tasks in one session", normal) : []),
		...(hard.length > 0 ? describeTasks("89 hard tasks in one session", hard) : []),
		...describeSessions(sessions),
		"## What this does not show",
		"",
		"- The worker is a script, and recorded steps never change: see [bench/single-session](../bench/single-session/README.md) and [what the figures of a replay mean](replay-metrics.md).",
		"- Minutes are modeled: published times to the first token, 60 output tokens a second, no tools (`packages/lab/metrics/latency.ts`).",
		"- Compaction keeps a quarter of the budget, at most 20k tokens; its summary is a stand-in that forgets nothing that it has room for.",
		"- A policy and budget without a row was not run.",
		"- Spread between seeds is in [the results of the single-session runs](../bench/results/README.md), where there are several.",
		"",
	].join("\n");
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const times = (ratio: number) => `${ratio.toFixed(2)} times`;

/** Sentences about the claims of the paper's section 6.4, where the figures have them. */
function judge(
	normal: readonly TaskPoint[],
	hard: readonly TaskPoint[],
	sessions: readonly SessionPoint[],
): readonly string[] {
	const at = (points: readonly TaskPoint[], policy: string, budget: number) =>
		points.find((point) => point.policy === policy && point.budget === budget);
	const sentences = ["paper", "cwl"].flatMap((policy) => {
		const [small, large] = [at(normal, policy, 50_000), at(normal, policy, 120_000)];
		if (!small || !large) return [];
		const slower =
			small.modeledSeconds !== null && large.modeledSeconds !== null
				? ` takes ${times(small.modeledSeconds / large.modeledSeconds)} as long`
				: "";
		return [
			`- \`${policy}\`: 120k costs ${times(large.cost / small.cost)} as much as 50k (the paper: up to 3); 50k${slower} (the paper: up to 2) and explores again ${small.reexplorations.toFixed(0)} times instead of ${large.reexplorations.toFixed(0)}; solved ${small.solved.toFixed(0)} and ${large.solved.toFixed(0)} of ${small.tasks}.`,
		];
	});
	const best = hard
		.filter(({ budget }) => budget !== null)
		.toSorted((a, b) => b.solved - a.solved || a.cost - b.cost)[0];
	const loses = best
		? [
				`- Of the hard tasks the most under any budget are solved by \`${best.policy}\` at ${budgetText(best.budget)}: ${best.solved.toFixed(0)} of ${best.tasks}.`,
			]
		: [];
	const dear = sessions.filter(({ budget, costs: [cost = 0] }) => budget !== null && cost > 1);
	const more = dear.map(({ policy, budget }) => `\`${policy}\` at ${budgetText(budget)}`).join(", ");
	return [
		...sentences,
		...loses,
		`- On recorded sessions these cost more than no eviction, at the first of the prices: ${more || "none"}.`,
	];
}

const budgetText = (budget: number | null) => (budget === null ? "-" : formatTokens(budget));

function describeTasks(title: string, points: readonly TaskPoint[]): readonly string[] {
	// Means over other seeds are of other tasks.
	const counts = [...new Set(points.map(({ seeds }) => seeds))];
	const front = new Set(
		counts.flatMap((count) => [
			...frontOf(
				points.filter(({ seeds }) => seeds === count),
				({ cost, solved }) => ({ cost, worth: solved }),
			),
		]),
	);
	const rows = points.map((point) => [
		point.policy,
		budgetText(point.budget),
		String(point.seeds),
		point.solved.toFixed(point.seeds > 1 ? 1 : 0),
		`$${point.cost.toFixed(2)}`,
		point.modeledSeconds === null ? "-" : (point.modeledSeconds / 60).toFixed(0),
		point.reexplorations.toFixed(0),
		point.requests.toFixed(0),
		`${(point.tokensProcessed / 1e6).toFixed(1)}M`,
		front.has(point) ? "yes" : "",
	]);
	const head = [
		"policy",
		"budget",
		"seeds",
		"solved",
		"cost",
		"modeled minutes",
		"re-explored",
		"requests",
		"tokens",
		"front",
	];
	return [`## ${title}`, "", ...markdownTable([head, ...rows]), ""];
}

function describeSessions({ points, models, ...about }: SweepFigures["sessions"]): readonly string[] {
	const front = frontOf(points, ({ costs: [cost = 0], editsKept }) => ({ cost, worth: editsKept }));
	const rows = points.map((point) => [
		point.policy,
		budgetText(point.budget),
		...point.costs.map(percent),
		percent(point.time),
		percent(point.editsKept),
		point.repeats.toFixed(1),
		String(point.overBudget),
		front.has(point) ? "yes" : "",
	]);
	const head = [
		...["policy", "budget"],
		...models.map(({ name, read }) => `cost, reads at ${read} (${name.split("/").at(-1)})`),
		...["modeled time", "edits kept", "repeated calls in 1,000", "over budget", "front"],
	];
	const part = about.replayed < about.planned ? ` (of ${about.planned})` : "";
	return [
		`## ${about.replayed} recorded sessions${part}`,
		"",
		`${about.pressed} of them pass ${formatTokens(about.pressure)} tokens; the ${about.requests} requests from there on count. Cost and time are shares of \`none\`, at three prices of a`,
		"cache read. Episodes are marked as a careful model would (`--annotate runs`). Repeated calls: the recorded agent makes a call again whose output was gone.",
		"",
		...markdownTable([head, ...rows]),
		"",
	];
}

function frontOf<Point>(points: readonly Point[], choiceOf: (point: Point) => Choice): ReadonlySet<Point> {
	const choices = points.map((point) => ({ ...choiceOf(point), point }));
	return new Set(paretoFront(choices).map(({ point }) => point));
}
