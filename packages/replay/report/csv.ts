/** A report as comma-separated values (RFC 4180): one row for each policy over all sessions, and one for each session. */
import type { PolicyReport, Report } from "./report.ts";

type Cells = ReadonlyMap<string, string>;

/** Nested figures are named by their path, `cost.anthropic`. Ends with a newline. */
export function formatCsv({ policies }: Report): string {
	const rows = policies.flatMap(rowsOf);
	const columns = [...new Set(rows.flatMap((row) => [...row.keys()]))];
	const lines = [columns, ...rows.map((row) => columns.map((column) => row.get(column) ?? ""))];
	return lines.map((cells) => `${cells.map(quote).join(",")}\r\n`).join("");
}

/** Over all sessions the session is empty. */
function rowsOf({
	bySession,
	violationExamples: _examples,
	isAuto: _isAuto,
	policy,
	budget,
	...figures
}: PolicyReport): Cells[] {
	const rowOf = (session: string, each: object) => flatten({ policy, budget, session, ...each });
	return [rowOf("", figures), ...bySession.map(({ session, ...each }) => rowOf(session, each))];
}

function flatten(figures: object, prefix = ""): Map<string, string> {
	const cells = new Map<string, string>();
	for (const [name, value] of Object.entries(figures)) {
		const path = `${prefix}${name}`;
		if (typeof value === "object" && value !== null) {
			for (const [inner, text] of flatten(value, `${path}.`)) cells.set(inner, text);
		} else if (value !== null) cells.set(path, String(value));
	}
	return cells;
}

function quote(cell: string): string {
	return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
