/** `npm run kill`: kills the real pi at random moments, resumes it, and checks what it finds. */
import { createProgress, defineBench, readCount } from "../bench.ts";
import { describeMachine, today } from "../surroundings.ts";
import { drawMoment, MOMENT_TYPES } from "./kill-moment.ts";
import { KILL_MARKS, type KillReport, killSession } from "./run.ts";

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
		const count = (is: (report: KillReport) => boolean) => reports.filter(is).length;
		const came = MOMENT_TYPES.map((type) => [
			type,
			count(({ marks, moment }) => moment.type === type && !marks.includes("idle")),
		]);
		const marked = KILL_MARKS.map((mark) => [mark, count(({ marks }) => marks.includes(mark))]);
		const findings = reports.flatMap(({ moment, findings: what }, kill) =>
			what.length > 0 ? [{ kill, moment, what }] : [],
		);
		const figures = {
			...{ seed, kills: reports.length, moments: Object.fromEntries(came), ...Object.fromEntries(marked) },
			...{ findings, seconds: Math.round((Date.now() - start) / 1_000) },
			...{ machine: describeMachine(), date: today() },
		};
		return {
			figures,
			text: () =>
				[
					`${reports.length} kills (${came.map(([type, number]) => `${type} ${number}`).join(", ")})`,
					`${marked.map(([mark, number]) => `${number} ${mark}`).join(", ")}, ${findings.length} kills with findings`,
					...findings.map(({ kill, what }) => `  ${kill}: ${what.join("; ")}`),
					"",
				].join("\n"),
			hasFailed: findings.length > 0,
		};
	},
});
