/**
 * Times programs in turns, so that other load on the machine falls on all alike. tinybench cannot interleave its
 * tasks, pair a round with the round of a baseline, or count the processor time of child processes.
 */
import { percentile } from "../percentile.ts";

export interface TimedProgram {
	readonly name: string;
	/** Does the work once and returns the number of findings, so that unequal work shows. */
	readonly run: () => Promise<number>;
}

export interface Timing {
	readonly program: string;
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
	programs: readonly TimedProgram[],
	{ rounds, now, cpu }: Clocks & { readonly rounds: number },
): Promise<readonly Timing[]> {
	const found = new Map<TimedProgram, number>();
	for (const program of programs) found.set(program, await program.run());
	const samples = new Map<TimedProgram, number[]>(programs.map((program) => [program, []]));
	const cpuMs = new Map<TimedProgram, number>();
	for (let round = 0; round < rounds; round += 1) {
		for (const program of rotate(programs, round)) {
			const [start, used] = [now(), cpu()];
			found.set(program, await program.run());
			samples.get(program)?.push(now() - start);
			cpuMs.set(program, (cpuMs.get(program) ?? 0) + ((cpu() ?? Number.NaN) - (used ?? Number.NaN)) / rounds);
		}
	}
	const [first] = programs;
	const base = first ? (samples.get(first) ?? []) : [];
	return programs.map((program) => {
		const times = samples.get(program) ?? [];
		return {
			program: program.name,
			medianMs: median(times),
			minMs: Math.min(...times),
			ratio: median(times.map((time, round) => time / (base[round] ?? time))),
			cpuMs: finite(cpuMs.get(program)),
			found: found.get(program) ?? 0,
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
