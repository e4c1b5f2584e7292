/** `npm run kill`: kills the real pi at random moments, resumes it, and checks what it finds. */
import { createProgress, defineBench, readCount } from "../bench.ts";
import { describeMachine, today } from "../surroundings.ts";
import { drawMoment, MOMENT_TYPES } from "./kill-moment.ts";
import { type KillReport, killSession } from "./run.ts";

const KILLS_PER_SESSION = 20;

export const bench = defineBench({
	flags: {
		runs: { type: "string", default: "20", about: `kills, in sessions of ${KILLS_PER_SESSION} kills each` },
		seed: { type: "string", default: "1", about: "of the moments, the repositories and the tasks" },
	},
	notes: `Exit code 1 if anything is wrong. CWL_LANE='["node","cli.js"]' takes another pi (see .ci/lanes).`,
	async run({ values, signal }) {
		const [runs, seed] = [readCount("runs", values.runs, 0), readCount("seed", values.seed, 0)];
		const start = Date.now();
		const reports: KillReport[] = [];
		const progress = createProgress(runs, "kills");
		for (let run = 0; run < runs && !signal.aborted; run += KILLS_PER_SESSION) {
			const count = Math.min(KILLS_PER_SESSION, runs - run);
			const moments = Array.from({ length: count }, (_, i) => drawMoment(seed, run + i));
			const session = seed * 1_000 + run / KILLS_PER_SESSION;
			await killSession(session, moments, signal, (report) => {
				reports.push(report);
				const { moment, findings } = report;
				if (findings.length > 0) process.stderr.write(`${JSON.stringify({ moment, findings })}\n`);
				progress(reports.length);
			});
		}
		const tally = tallyOf(reports);
		const seconds = Math.round((Date.now() - start) / 1_000);
		return {
			figures: { seed, ...tally, seconds, machine: describeMachine(), date: today() },
			text: () => formatTally(tally),
			hasFailed: tally.findings.length > 0,
		};
	},
});

/** The totals of many kills. */
function tallyOf(reports: readonly KillReport[]) {
	const count = (is: (report: KillReport) => boolean) => reports.filter(is).length;
	const came = MOMENT_TYPES.map((type): readonly [string, number] => [
		type,
		count(({ isMoment, moment }) => isMoment && moment.type === type),
	]);
	return {
		kills: reports.length,
		/** Kills by moment; `idle` counts those whose moment did not come before the work was done. */
		moments: Object.fromEntries([...came, ["idle", count(({ isMoment }) => !isMoment)]]),
		/** First requests after a kill that were compared with those of the reference run. */
		compared: count(({ isCompared }) => isCompared),
		/** Compared requests that differed in the git status alone, because git answered too late. */
		late: count(({ isLate }) => isLate),
		/** Kills that left a torn line. */
		torn: count(({ isTorn }) => isTorn),
		/** Kills that left pi's lock of its settings, which became stale. */
		locked: count(({ isLocked }) => isLocked),
		findings: reports.flatMap(({ moment, findings }, kill) =>
			findings.length > 0 ? [{ kill, moment, what: findings }] : [],
		),
	};
}

function formatTally({ kills, moments, compared, late, torn, findings }: ReturnType<typeof tallyOf>): string {
	const points = Object.entries(moments).map(([type, number]) => `${type} ${number}`);
	const lines = [
		`${kills} kills (${points.join(", ")})`,
		`${compared} first requests compared (${late} without a git status that came late), ${torn} lines cut short, ${findings.length} kills with findings`,
		...findings.map(({ kill, what }) => `  ${kill}: ${what.join("; ")}`),
	];
	return `${lines.join("\n")}\n`;
}
