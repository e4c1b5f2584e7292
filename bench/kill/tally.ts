/** The totals of many kills. */
import { MOMENT_TYPES, type Moment } from "./kill-schedule.ts";
import type { KillReport } from "./run.ts";

export interface KillFigures {
	readonly kills: number;
	/** Kills by moment; `idle` counts those whose moment did not come before the work was done. */
	readonly moments: Readonly<Record<string, number>>;
	/** First requests after a kill that were compared with those of the reference run. */
	readonly compared: number;
	/** Those of them that differed in the git status alone, which git was too late for. */
	readonly late: number;
	/** Kills that left a torn line. */
	readonly torn: number;
	/** Kills that left pi's lock of its settings, which became stale. */
	readonly locked: number;
	readonly findings: readonly Finding[];
}

interface Finding {
	readonly kill: number;
	readonly moment: Moment;
	readonly what: readonly string[];
}

export interface Tally {
	add(report: KillReport): void;
	figures(): KillFigures;
	/** The figures, for people. */
	text(): string;
}

export function createTally(): Tally {
	const reports: KillReport[] = [];
	const count = (is: (report: KillReport) => boolean) => reports.filter(is).length;
	function figures(): KillFigures {
		const came = MOMENT_TYPES.map((type) => [
			type,
			count(({ isMoment, moment }) => isMoment && moment.type === type),
		]);
		return {
			kills: reports.length,
			moments: { ...Object.fromEntries(came), idle: count(({ isMoment }) => !isMoment) },
			compared: count(({ isCompared }) => isCompared),
			late: count(({ isLate }) => isLate),
			torn: count(({ isTorn }) => isTorn),
			locked: count(({ isLocked }) => isLocked),
			findings: reports.flatMap(({ moment, findings }, kill) =>
				findings.length > 0 ? [{ kill, moment, what: findings }] : [],
			),
		};
	}
	return {
		add: (report) => void reports.push(report),
		figures,
		text() {
			const { kills, moments, compared, late, torn, findings } = figures();
			const points = Object.entries(moments).map(([type, number]) => `${type} ${number}`);
			const lines = [
				`${kills} kills (${points.join(", ")})`,
				`${compared} first requests compared (${late} without a git status that came late), ${torn} lines cut short, ${findings.length} kills with findings`,
				...findings.map(({ kill, what }) => `  ${kill}: ${what.join("; ")}`),
			];
			return `${lines.join("\n")}\n`;
		},
	};
}
