/** Alerts and metrics in the panel. */
import type { AlertGrade } from "../health/alert.ts";
import { describeHealth, type HealthRow } from "../health/health-report.ts";
import { describeSession } from "../health/session-rows.ts";
import type { StateReport } from "../health/state-report.ts";
import { flow, type Line, span, type Tone, wrap } from "./spans.ts";

const grades: Readonly<Record<AlertGrade, Tone>> = { critical: "red", warning: "orange", notice: "yellow" };

/** The open alerts, the gravest first, and their remedies as far as `room` lines hold them; without the quiet ones. */
export function alertRows({ alerts: all }: StateReport, width: number, room: number): readonly Line[] {
	const alerts = all.filter(({ isQuiet }) => !isQuiet);
	const rows = alerts.flatMap(({ grade, text, remedy }) => [
		...mark(`${grade}: ${text}`, grades[grade], width),
		...wrap(remedy, width - 2, 2, "dim").map((line) => [span("  "), ...line]),
	]);
	if (rows.length <= room) return rows;
	const short = alerts.map(({ grade, text }): Line => [span("● ", grades[grade]), span(`${grade}: ${text}`)]);
	if (short.length <= room) return short;
	const more = alerts.length - room + 1;
	return [...short.slice(0, room - 1), [span(`  and ${more} more: /cwl health`, "dim")]];
}

function mark(text: string, tone: Tone, width: number): readonly Line[] {
	return wrap(text, width - 2, 3).map((line, index) => [span(index === 0 ? "● " : "  ", tone), ...line]);
}

/** The metrics next to one another, for a narrow screen. */
export function healthFlow(report: StateReport, width: number): readonly Line[] {
	const pieces = rowsOf(report).map(({ metric, value }) => [span(`${metric} `, "dim"), span(value)]);
	return flow(pieces, width, " · ");
}

/** Without utilisation: the head of the panel says how full the next request is. */
function rowsOf(report: StateReport): readonly HealthRow[] {
	const metrics = describeHealth(report.health).filter(({ metric }) => metric !== "utilisation");
	return [...metrics, ...describeSession(report)];
}

/** A row a metric, with what it means. */
export function healthRows(report: StateReport, width: number): readonly Line[] {
	return rowsOf(report).flatMap(({ metric, value, detail }) =>
		wrap(detail, width - 21, 2, "dim").map((line, index) => [
			span(index === 0 ? metric.padEnd(13) : " ".repeat(13), "dim"),
			span(index === 0 ? `${value.padStart(6)}  ` : " ".repeat(8)),
			...line,
		]),
	);
}
