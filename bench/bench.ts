/** The frame of every bench: flags that are declared once, progress on stderr, a clean stop on Ctrl-C, and figures as text or JSON. */
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as yieldToEvents } from "node:timers/promises";
import { CwlError } from "#pi";
import { readCommand, readNumber, untilInterrupted } from "../packages/cli/command-line.ts";
import { createProgress } from "../packages/cli/progress.ts";

export { createProgress };

interface Flag<T> {
	readonly type: "string" | "boolean";
	readonly about: string;
	readonly default?: string;
	/** A value for the help of a flag without a default, such as `DIR`. */
	readonly example?: string;
	/** Reads the text of the flag, which is empty where neither is given. @throws CwlError */
	readonly read: (text: string, name: string) => T;
}
type Flags = Readonly<Record<string, Flag<unknown>>>;
type Values<F extends Flags> = { readonly [K in keyof F]: ReturnType<F[K]["read"]> };

/** A flag that is given or not. */
export const toggle = (about: string): Flag<boolean> => ({
	type: "boolean",
	about,
	read: (text) => text === "true",
});

export const text = (value: string, about: string): Flag<string> => ({
	type: "string",
	default: value,
	about,
	read: (given) => given,
});

/** A flag without a default: empty where it is not given. */
export const optional = (example: string, about: string): Flag<string> => ({
	type: "string",
	example,
	about,
	read: (given) => given,
});

/** A whole number from `least` up. */
export const count = (value: string, about: string, least = 1): Flag<number> => ({
	...text(value, about),
	read: (given, name) => readCount(name, given, least),
});

/** One of some words. */
export const choice = <const T extends string>(choices: readonly T[], value: T, about: string): Flag<T> => ({
	...text(value, about),
	read(given, name) {
		const found = choices.find((known) => known === given);
		if (found !== undefined) return found;
		throw new CwlError("bad-flag", `--${name} is ${JSON.stringify(given)}: use ${choices.join(", ")}.`);
	},
});

/** Reads a whole number from `least` up. @throws CwlError `bad-flag` */
export const readCount = (flag: string, given: string, least = 1): number =>
	readNumber("bad-flag", `--${flag}`, given, least);

interface Input<F extends Flags> {
	readonly values: Values<F>;
	readonly positionals: readonly string[];
	/** Aborted by the first Ctrl-C: the bench ends after the step in progress and returns the figures it has. */
	readonly signal: AbortSignal;
}

interface Outcome {
	/** The figures for `--json`. */
	readonly figures: object;
	/** The figures for people. */
	readonly lines: () => readonly string[];
	/** True if the bench found a fault: exit code 1. */
	readonly hasFailed?: boolean;
}

interface Definition<F extends Flags> {
	/** The positional arguments in words, such as `PATH...`; a bench without the words refuses them. */
	readonly positionals?: string;
	readonly flags: F;
	/** Text after the flags in the help. */
	readonly notes?: string;
	/** @throws CwlError for wrong arguments */
	readonly run: (input: Input<F>) => Promise<Outcome>;
}

/** Takes the arguments after the name and that name with its summary; returns 0, 1 if the bench found a fault, or 130 after Ctrl-C. */
export type Bench = (argv: readonly string[], name: string, summary: string) => Promise<number>;

const INTERRUPTED = 130;

export function defineBench<F extends Flags>({ flags, positionals = "", notes, run }: Definition<F>): Bench {
	const options: Flags = { ...flags, json: toggle("the figures as JSON") };
	return async (argv, name, summary) => {
		const command = `npm run bench -- ${name} ${positionals}`.trim();
		const lines = [`${command}: ${summary}`, "", ...describeFlags(options), ...(notes ? ["", notes] : [])];
		const given = readCommand(argv, `${lines.join("\n")}\n`, options, positionals !== "");
		if (!given) return 0;
		const texts = new Map(Object.entries(given.values));
		const read = Object.entries(flags).map(([flag, { read }]) => {
			return [flag, read(String(texts.get(flag) ?? ""), flag)];
		});
		// Object.fromEntries knows no literal keys.
		const values: Values<F> = Object.fromEntries(read);
		return await untilInterrupted(async (signal) => {
			const outcome = await run({ values, positionals: given.positionals, signal });
			const shown = texts.get("json") ? [JSON.stringify(outcome.figures)] : outcome.lines();
			process.stdout.write(`${shown.join("\n")}\n`);
			return outcome.hasFailed ? 1 : signal.aborted ? INTERRUPTED : 0;
		});
	};
}

function describeFlags(flags: Flags): readonly string[] {
	const rows = Object.entries(flags).map(([name, flag]) => {
		const value = flag.type === "string" ? ` ${flag.default ?? flag.example}` : "";
		return { flag: `--${name}${value}`, about: flag.about };
	});
	const width = Math.min(26, Math.max(...rows.map(({ flag }) => flag.length)));
	return rows.map(
		({ flag, about }) => `  ${flag.padEnd(width)}  ${about.replaceAll("\n", `\n${" ".repeat(width + 4)}`)}`,
	);
}

/** Works in a new, empty folder, which is removed at the end. */
export async function inNewFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
	const folder = await realpath(await mkdtemp(join(tmpdir(), "cwl-bench-")));
	try {
		return await work(folder);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

/**
 * Runs a step for each item, in order, and shows the progress; the words that a step returns end its line. After Ctrl-C no
 * step begins. Steps that never wait let the signal arrive between them.
 */
export async function forEachStep<T>(
	items: readonly T[],
	unit: string,
	signal: AbortSignal,
	step: (item: T, index: number) => Promise<string | undefined> | string | undefined,
): Promise<void> {
	const progress = createProgress(items.length, unit);
	for (const [index, item] of items.entries()) {
		if (signal.aborted) return;
		const note = await step(item, index);
		progress(index + 1, note);
		await yieldToEvents();
	}
}
