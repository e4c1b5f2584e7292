/** Figures that pages show, one file of bench/results for each command, with the day, the commit and the machine of the run. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Report } from "#replay/report";
import type { ConditionReport, SingleSessionReport } from "../single-session/report.ts";
import type { Surroundings } from "../surroundings.ts";

export interface KeptFile<F> extends Surroundings {
	readonly command: string;
	/** The fingerprint of the engine's decisions (`engine.ts`); absent in files from before it was recorded. */
	readonly engine?: string;
	readonly figures: F;
}

/** A condition of `bench -- single-session`; means over seeds, sizes in tokens. Older files have only what pages show. */
export interface TaskFigures extends Omit<ConditionReport, "runs" | "seeds"> {
	/** How many. */
	readonly seeds: number;
}

/** `cwl replay`, over requests under pressure. */
export type ReplayFigures = ReturnType<typeof keepReplay>;
export type PolicyFigures = ReplayFigures["policies"][number];

const FOLDER = join(import.meta.dirname, "..", "results");

/** The kept figures of a run, by its name. Its type is that of the command that made it. */
export async function readKept<F>(name: string): Promise<KeptFile<F>> {
	return JSON.parse(await readFile(join(FOLDER, `${name}.json`), "utf8"));
}

export async function writeKept(name: string, file: KeptFile<unknown>): Promise<void> {
	await writeFile(join(FOLDER, `${name}.json`), `${JSON.stringify(file, undefined, "\t")}\n`);
}

/** The figures of a condition or a policy. @throws RangeError naming what the kept figures lack */
export function named<T extends { readonly name: string } | { readonly policy: string }>(
	all: readonly T[],
	wanted: string,
): T {
	const found = all.find((one) => ("name" in one ? one.name : one.policy) === wanted);
	if (found !== undefined) return found;
	throw new RangeError(`the kept figures have no ${wanted}.`);
}

export const keepTasks = ({ conditions }: SingleSessionReport): readonly TaskFigures[] =>
	conditions.map(({ runs: _, seeds, ...means }) => ({ ...means, seeds: seeds.length }));

export function keepReplay({ sessions, policies }: Report) {
	const share = ({ kept, needed }: { readonly kept: number; readonly needed: number }) =>
		kept / Math.max(1, needed);
	const kept = policies.flatMap(({ policy, pressed, grounding, thinking, ...more }) => {
		if (!pressed) return [];
		const { cost, prefixBreaks, passes, overBudget } = pressed;
		const { edit, editCross, self, ident, conclusion } = grounding;
		return {
			policy,
			/** In uncached input tokens. */
			cost: { anthropic: cost.anthropic, openai: cost.openai },
			/** At the prices of the first model, or else Anthropic-like ones. */
			costComparedToNone: more.costComparedToNone ?? Number.NaN,
			...{ editsKept: edit.kept, editsNeeded: edit.needed },
			...{ prefixBreaks, passes, overBudget },
			/** Sessions above 1.02 of the cost without eviction. */
			dearer: more.sessionsMoreExpensive ?? 0,
			/** Shares of what later recorded steps needed. */
			kept: {
				...{ across: share(editCross), own: share(self), names: share(ident) },
				conclusions: share(conclusion),
				thinking: thinking.all === 0 ? 1 : thinking.readable / thinking.all,
			},
		};
	});
	return { sessions, policies: kept };
}
