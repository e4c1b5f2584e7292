/** Goal, active task, constraints and checkpoint of a session in words: it keeps them outside of its history. */
import { visibleText } from "#core/projection";
import { shorten } from "../screen/columns.ts";
import type { HealthRow } from "./health-report.ts";
import type { StateReport } from "./state-report.ts";

/** In columns. */
const MAX_DETAIL = 200;

/** One row for each of them that there is. */
export function describeSession({
	goal,
	state,
	checkpoint,
}: Pick<StateReport, "goal" | "state" | "checkpoint">): readonly HealthRow[] {
	const { task, constraints, notedConstraints } = state;
	const all = [...constraints, ...notedConstraints.map((line) => `${line} (noted by the agent)`)];
	return [
		...(goal ? [row("goal", goal.isDone ? "done" : "set", goal.text)] : []),
		...(task === "" ? [] : [row("task", "set", task)]),
		...(all.length === 0 ? [] : [row("constraints", String(all.length), all.join("; "))]),
		...(checkpoint ? [describeCheckpoint(checkpoint)] : []),
	];
}

function describeCheckpoint({ file, savedAt, problem }: NonNullable<StateReport["checkpoint"]>): HealthRow {
	// The reason matters more than the path, which it begins with.
	if (problem !== null) return row("checkpoint", "unused", problem.replace(`${file}: `, ""));
	return row("checkpoint", "fits", `saved ${savedAt ?? ""} in ${file}`);
}

function row(metric: string, value: string, detail: string): HealthRow {
	return { metric, value, detail: shorten(visibleText(detail.replace(/\s+/g, " ")), MAX_DETAIL) };
}
