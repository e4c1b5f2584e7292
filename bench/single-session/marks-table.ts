/** The runs with damaged marks beside those with intact ones, in one table: a row for each fault and share. */
import { markdownTable } from "#replay";
import { type BadMarks, readBadMarks } from "./bad-marks.ts";
import { faults } from "./damage-marks.ts";
import type { ConditionReport } from "./report.ts";

interface DamagedRun {
	readonly policy: string;
	readonly marks: BadMarks;
	readonly run: ConditionReport;
}

/** As Markdown lines, of the conditions of one group; none where no marks are damaged. Costs are those on Anthropic's prices. */
export function marksTable(conditions: readonly ConditionReport[]): readonly string[] {
	const damaged = conditions
		.flatMap((run): readonly DamagedRun[] => {
			const { policy, marks } = readBadMarks(run.policy);
			return marks ? [{ policy, marks, run }] : [];
		})
		.toSorted((a, b) => rankOf(a.marks) - rankOf(b.marks));
	if (damaged.length === 0) return [];
	const policies = [...new Set(damaged.map(({ policy }) => policy))];
	const intact = new Map(conditions.map((run) => [run.policy, run]));
	const cells = (runs: readonly (ConditionReport | undefined)[]) =>
		runs.flatMap((run, index) => describe(run, intact.get(policies[index] ?? "")));
	const rows = new Map<string, readonly string[]>();
	for (const { marks } of damaged) {
		const runs = policies.map(
			(policy) => damaged.find((each) => each.policy === policy && isSame(each.marks, marks))?.run,
		);
		rows.set(`${marks.fault} ${marks.share}`, [marks.fault, `${marks.share} %`, ...cells(runs)]);
	}
	return markdownTable([
		["marks", "share", ...policies.flatMap((policy) => [`${policy}: solved`, "cost", "re-explored"])],
		["intact", "", ...cells(policies.map((policy) => intact.get(policy)))],
		...rows.values(),
	]);
}

/** By fault, then by share. */
function rankOf({ fault, share }: BadMarks): number {
	return 1_000 * faults.indexOf(fault) + share;
}

function isSame(a: BadMarks, b: BadMarks): boolean {
	return a.fault === b.fault && a.share === b.share;
}

/** Solved tasks, cost also as a share of that with intact marks, and calls that read again. */
function describe(
	run: ConditionReport | undefined,
	intact: ConditionReport | undefined,
): readonly [string, string, string] {
	if (!run) return ["-", "-", "-"];
	const [cost, whole] = [run.cost.anthropic, intact?.cost.anthropic];
	const share = cost !== null && whole ? ` (${((100 * cost) / whole).toFixed(0)} %)` : "";
	return [
		`${run.solved.toFixed(1).replace(/\.0$/, "")} of ${run.tasks}`,
		cost === null ? "-" : `$${cost.toFixed(2)}${share}`,
		run.reexplorations.toFixed(0),
	];
}
