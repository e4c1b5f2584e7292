/**
 * Times programs in turns, so that other load on the machine falls on all alike. tinybench cannot interleave its
 * tasks, pair a round with the round of a baseline, or count the processor time of child processes.
 */
import { percentile } from "#lab";

export interface TimedProgram {
	readonly name: string;
	/** Does the work once and returns the number of findings, so that unequal work shows. */
	readonly run: () => Promise<number>;
}

export interface Timing {
	readonly contender: string;
	/** Median of all rounds, in ms. */
	readonly medianMs: number;
	readonly minMs: number;
	/** Median over the rounds of this program's time divided by the first one's in the same round. */
	readonly ratio: number;
	/** Mean processor time of a run, child processes included, in ms; null if unknown. */
	readonly cpuMs: number | null;
	/** Findings of the last round. */
	readonly found: number;
}

export interface Clocks {
	readonly now: () => number;
	readonly cpu: () => number | undefined;
}

/**
 * Times every program once per round, after a round that warms caches. The first program is the baseline. `now` is a
 * clock in ms, `cpu` the processor time used so far, in ms.
 */
export async function timeInTurns(
	contenders: readonly TimedProgram[],
	{ rounds, now, cpu }: Clocks & { readonly rounds: number },
): Promise<readonly Timing[]> {
	const found = new Map<TimedProgram, number>();
	for (const contender of contenders) found.set(contender, await contender.run());
	const samples = new Map<TimedProgram, number[]>(contenders.map((contender) => [contender, []]));
	const cpuMs = new Map<TimedProgram, number>();
	for (let round = 0; round < rounds; round += 1) {
		for (const contender of rotate(contenders, round)) {
			const [start, used] = [now(), cpu()];
			found.set(contender, await contender.run());
			samples.get(contender)?.push(now() - start);
			cpuMs.set(
				contender,
				(cpuMs.get(contender) ?? 0) + ((cpu() ?? Number.NaN) - (used ?? Number.NaN)) / rounds,
			);
		}
	}
	const [first] = contenders;
	const base = first ? (samples.get(first) ?? []) : [];
	return contenders.map((contender) => {
		const times = samples.get(contender) ?? [];
		return {
			contender: contender.name,
			medianMs: median(times),
			minMs: Math.min(...times),
			ratio: median(times.map((time, round) => time / (base[round] ?? time))),
			cpuMs: finite(cpuMs.get(contender)),
			found: found.get(contender) ?? 0,
		};
	});
}

/** A program pays for the load of the one before it, so the order rotates. */
function rotate<T>(values: readonly T[], by: number): readonly T[] {
	const at = by % Math.max(1, values.length);
	return [...values.slice(at), ...values.slice(0, at)];
}

function median(values: readonly number[]): number {
	return percentile(values, 0.5) ?? Number.NaN;
}

function finite(value: number | undefined): number | null {
	return value !== undefined && Number.isFinite(value) ? value : null;
}
