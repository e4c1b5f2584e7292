/**
 * How far a figure over recorded sessions can be trusted: its 95 % interval when projects are drawn with replacement, and
 * then sessions of each. Sessions of one project are alike, so that a hundred of them say less than ten of ten projects.
 */

import { append, seededRandom } from "#basics";

/** The 95 % interval of a figure: its least and its most. */
export type Interval = readonly [low: number, high: number];

const DRAWS = 1_000;
/** Any number: the same one each time, so that a run gives the same intervals. */
const SEED = 20_261_128;

/** How often each session was drawn, by its index, for each draw. */
export type Draws = readonly (readonly number[])[];

/** The project of a session is the first part of its file's name, up to two underscores; else the session is one of its own. */
export function projectOf(session: string): string {
	return session.split("__")[0] ?? session;
}

/** `projects` names the project of each session. Sessions of the same run are drawn once, so that policies are compared in pairs. */
export function drawSessions(projects: readonly string[], count = DRAWS): Draws {
	const sessionsOf = new Map<string, number[]>();
	for (const [index, project] of projects.entries()) append(sessionsOf, project, index);
	const groups = [...sessionsOf.values()];
	const random = seededRandom(SEED);
	const pick = (size: number) => Math.floor(random() * size);
	return Array.from({ length: projects.length < 2 ? 0 : count }, () => {
		const weights = projects.map(() => 0);
		for (let project = 0; project < groups.length; project += 1) {
			const group = groups[pick(groups.length)] ?? [];
			for (let session = 0; session < group.length; session += 1) {
				const index = group[pick(group.length)] ?? 0;
				weights[index] = (weights[index] ?? 0) + 1;
			}
		}
		return weights;
	});
}

/** Adds a value up over the sessions of a draw. */
export type SumOfDraw = (valueIn: (session: number) => number) => number;

/** The interval of a figure of the weighted sessions; null where too few draws have one. */
export function intervalOf(draws: Draws, figure: (sum: SumOfDraw) => number): Interval | null {
	const values = draws
		.map((weights) =>
			figure((valueIn) =>
				weights.reduce((sum, weight, index) => sum + (weight && weight * valueIn(index)), 0),
			),
		)
		.filter(Number.isFinite)
		.toSorted((a, b) => a - b);
	const low = values[Math.floor(0.025 * values.length)];
	const high = values[Math.ceil(0.975 * values.length) - 1];
	return values.length < draws.length / 2 || low === undefined || high === undefined ? null : [low, high];
}
