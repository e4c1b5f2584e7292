/** Fits the chance of a second look as the engine computes it: the logarithm of the odds is a line in the logarithms of size and times. */
import { SHORT_TIME, SMALL_SIZE } from "#core/planning";
import type { Pair } from "./pairs.ts";

/** The odds are `scale` x alone ^ `alone` / (age ^ `age` x edited ^ `edited`). */
export type Line = Readonly<Record<"scale" | "alone" | "age" | "edited", number>>;
type Described = Pick<Pair, "alone" | "age" | "edited">;
type Observed = Described & Pick<Pair, "neededIn">;

const MAX_STEPS = 30;
const PRECISION = 1e-6;
/** Pulls every weight slightly to 0, so that facts that no two pairs differ in get a weight at all. */
const RIDGE = 1e-3;

/** The line under which the seen needs are most likely, by Newton's method. */
export function fitLine(pairs: readonly Observed[]): Line {
	let weights = [0, 0, 0, 0];
	for (let step = 0; step < MAX_STEPS; step += 1) {
		const change = newtonStep(pairs, weights);
		weights = weights.map((weight, i) => weight + (change[i] ?? 0));
		if (change.every((part) => Math.abs(part) < PRECISION)) break;
	}
	const [base = 0, alone = 0, age = 0, edited = 0] = weights;
	return { scale: Math.exp(base), alone, age, edited };
}

function newtonStep(pairs: readonly Observed[], weights: readonly number[]): readonly number[] {
	/** The curvature, and the slope as its last column. */
	const rows = weights.map((weight, i) => [...weights.map((_, j) => (i === j ? RIDGE : 0)), -RIDGE * weight]);
	for (const pair of pairs) {
		const values = valuesOf(pair);
		const chance = logistic(values.reduce((odds, value, i) => odds + value * (weights[i] ?? 0), 0));
		const miss = Number(isNeeded(pair)) - chance;
		const extended = values.map((value) => value * chance * (1 - chance));
		rows.forEach((row, i) => {
			const value = values[i] ?? 0;
			if (value === 0) return;
			extended.forEach((part, j) => {
				row[j] = (row[j] ?? 0) + value * part;
			});
			row[weights.length] = (row[weights.length] ?? 0) + value * miss;
		});
	}
	return solve(rows);
}

/** Solves linear equations whose matrix is positive definite, as a curvature is; the last column is the right side. */
function solve(equations: readonly (readonly number[])[]): readonly number[] {
	const rows = equations.map((row) => [...row]);
	rows.forEach((pivot, i) => {
		const scaled = pivot.map((value) => value / (pivot[i] ?? 1));
		rows.forEach((row, j) => {
			const factor = row[i] ?? 0;
			rows[j] = j === i ? scaled : row.map((value, k) => value - factor * (scaled[k] ?? 0));
		});
	});
	return rows.map((row) => row.at(-1) ?? 0);
}

function valuesOf({ alone, age, edited }: Described): readonly number[] {
	return [1, Math.log(alone + SMALL_SIZE), -Math.log(age + SHORT_TIME), -Math.log(edited + SHORT_TIME)];
}

/** The chance that a line gives an output. */
export function chanceUnder({ scale, alone, age, edited }: Line, described: Described): number {
	const weights = [Math.log(scale), alone, age, edited];
	return logistic(valuesOf(described).reduce((odds, value, i) => odds + value * (weights[i] ?? 0), 0));
}

const logistic = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));

export const isNeeded = ({ neededIn }: Pick<Pair, "neededIn">): boolean => neededIn !== undefined;

/** The mean of minus the logarithm of the chance given to what happened: lower is better. */
export function logLoss<P extends Observed>(pairs: readonly P[], chanceOf: (pair: P) => number): number {
	const losses = pairs.map((pair) => {
		const chance = Math.min(Math.max(chanceOf(pair), 1e-9), 1 - 1e-9);
		return -Math.log(isNeeded(pair) ? chance : 1 - chance);
	});
	return losses.reduce((sum, loss) => sum + loss, 0) / losses.length;
}

/** Two halves without a common project. The projects are dealt out by size, the largest first, each to the smaller half. */
export function splitByProject<P extends { readonly project: string }>(
	pairs: readonly P[],
): { readonly fitted: readonly P[]; readonly judged: readonly P[] } {
	const projects = new Map<string, P[]>();
	for (const pair of pairs) {
		const known = projects.get(pair.project);
		if (known) known.push(pair);
		else projects.set(pair.project, [pair]);
	}
	const fitted: P[] = [];
	const judged: P[] = [];
	for (const own of [...projects.values()].toSorted((a, b) => b.length - a.length)) {
		const half = judged.length < fitted.length ? judged : fitted;
		for (const pair of own) half.push(pair);
	}
	return { fitted, judged };
}
