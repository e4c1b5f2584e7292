/** The table of a robustness run, and its verdict. */
import { markdownTable } from "#lab";
import type { ResultsFile } from "../results-file.ts";
import type { RobustnessFigures, RobustnessRow, Variant } from "./measure.ts";

/** docs/robustness.md. */
export function formatRobustnessPage({
	figures,
	command,
	date,
	commit,
	machine,
}: ResultsFile<RobustnessFigures>): string {
	return [
		"# What happens when the model marks badly",
		"",
		`${figures.markedSessions} recorded sessions with a budget of ${figures.budget / 1_000}k tokens, replayed with the marks that a careful model would set (an episode for each`,
		"run of reading or of changing calls in a turn; an act declares the expls since the act before it and those that named its files),",
		"and with a share of these marks damaged. The recordings themselves have none.",
		"",
		formatRobustness(figures).trimEnd(),
		"",
		"- `flipped`: an expl is called an act, an act an expl.",
		"- `dependencies-dropped`, `dependencies-invented`: an act declares no expl, or one more that has nothing to do with it.",
		"- `never-ended`: the episode goes on over the next one.",
		"- `name-reused`: the protocol refuses the start, so the work is unmarked.",
		"- `unmarked`: no mark; `none at all`: boundaries are inferred for the whole session.",
		"",
		"Recorded steps never change: an agent that lost something would have read it again, which is in no figure here. What that costs a worker that works on: [single-session-marks.md](../bench/results/single-session-marks.md).",
		"",
		`\`${command}\`, ${date}, commit ${commit}, ${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, seed ${figures.seed}.`,
		"",
	].join("\n");
}

/** A row for each way of marking; three columns for each policy. */
export function formatRobustness({ rows }: Pick<RobustnessFigures, "rows">): string {
	const policies = [...new Set(rows.map(({ policy }) => policy))];
	const variants = new Map(rows.map((row) => [nameOf(row), row]));
	const head = ["marks", ...policies.flatMap((policy) => [`${policy}: cost`, "edits kept", "over budget"])];
	const body = [...variants.keys()].map((name) => [
		name,
		...policies.flatMap((policy) =>
			cellsOf(rows.find((row) => row.policy === policy && nameOf(row) === name)),
		),
	]);
	const lines = [
		...policies.flatMap((policy) =>
			describePolicy(
				policy,
				rows.filter((row) => row.policy === policy),
			),
		),
		"",
		"Cost as a share of never evicting, Anthropic-like prices; edits whose old text was still in the request; requests over",
		"the budget. All over requests under pressure.",
		"",
		...markdownTable([head, ...body]),
	];
	return `${lines.join("\n")}\n`;
}

function nameOf({ marks, share }: Variant): string {
	if (marks === "intact") return "as a careful model would";
	return marks === "inferred" ? "none at all" : `${marks} ${Math.round(share * 100)} %`;
}

function cellsOf(row: RobustnessRow | undefined): readonly string[] {
	if (!row) return ["-", "-", "-"];
	return [`${percent(row.cost)}`, `${percent(row.editsKept / row.editsNeeded)}`, String(row.overBudget)];
}

function percent(share: number): string {
	return `${(100 * share).toFixed(1)} %`;
}

/** How far the worst way of marking is from the intact one. */
function describePolicy(policy: string, rows: readonly RobustnessRow[]): readonly string[] {
	const intact = rows.find(({ marks }) => marks === "intact");
	if (!intact) return [];
	const keptOf = ({ editsKept, editsNeeded }: RobustnessRow) => editsKept / editsNeeded;
	const [least] = rows.toSorted((a, b) => keptOf(a) - keptOf(b));
	const [dearest] = rows.toSorted((a, b) => b.cost - a.cost);
	if (!least || !dearest) return [];
	return [
		`- \`${policy}\`: ${percent(keptOf(intact))} of edits kept at ${percent(intact.cost)} of the cost with intact marks; at worst ${percent(keptOf(least))} kept (${nameOf(least)}) and ${percent(dearest.cost)} of the cost (${nameOf(dearest)}).`,
	];
}
