/** The figures of `npm run bench -- tools`, for people and for programs. */

import { markdownTable } from "#replay";
import type { Machine } from "../machine.ts";
import type { Timing } from "./timing.ts";

export interface ToolsReport {
	/** 2: a timing names its `program`, not its `contender`. */
	readonly version: 2;
	readonly date: string;
	readonly machine: Machine;
	/** Versions of the compared programs and packages; null if not installed. */
	readonly versions: Readonly<Record<string, string | null>>;
	readonly rounds: number;
	/** Of the tree; a quarter of them is not ignored. */
	readonly files: number;
	readonly subjects: readonly Subject[];
}

export interface Subject {
	readonly name: string;
	/** The unit of the last column. */
	readonly counts: string;
	readonly timings: readonly Timing[];
}

/** As Markdown. Ends with a newline. */
export function formatToolsReport(report: ToolsReport): string {
	const { machine, versions } = report;
	const present = Object.entries(versions).map(([name, version]) => `${name} ${version ?? "(not here)"}`);
	const lines = [
		`${report.date}; ${machine.cpu}, ${machine.cores} cores, ${machine.memory} GiB, ${machine.system}`,
		`Node ${machine.node}, ${present.join(", ")}`,
		`A tree of ${report.files} files, a quarter of them not ignored. ${report.rounds} rounds in turns, page cache warm; medians in ms; x: time by that of the first, median of the rounds; CPU: processor time of a run, mean.`,
		...report.subjects.flatMap(formatSubject),
	];
	return `${lines.join("\n")}\n`;
}

function formatSubject({ name, counts, timings }: Subject): readonly string[] {
	const rows = timings.map(({ program, medianMs, ratio, cpuMs, found }) => [
		program,
		medianMs.toFixed(medianMs < 10 ? 1 : 0),
		ratio.toFixed(2),
		cpuMs === null ? "" : cpuMs.toFixed(0),
		String(found),
	]);
	return ["", `### ${name}`, "", ...markdownTable([["", "ms", "x", "CPU ms", counts], ...rows])];
}
