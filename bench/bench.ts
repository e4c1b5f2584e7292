/** The frame of every bench: flags that are declared once, progress on stderr, a clean stop on Ctrl-C, and figures as text or JSON. */
import { setImmediate as yieldToEvents } from "node:timers/promises";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { CwlError } from "#pi";
import { budgetTokens, parseBudget } from "#pi/settings";

/** A flag of `parseArgs`; `example` is a value for the help of one without a default, such as `DIR`. */
type Flag = NonNullable<ParseArgsConfig["options"]>[string] & {
	readonly about: string;
	readonly example?: string;
};
type Flags = Readonly<Record<string, Flag>>;
type Values<F extends Flags> = ReturnType<typeof parseArgs<{ readonly options: F }>>["values"];

interface Input<F extends Flags> {
	readonly values: Values<F>;
	readonly positionals: readonly string[];
	/** Aborted by the first Ctrl-C: the bench ends after the step in progress and returns the figures it has. */
	readonly signal: AbortSignal;
}

interface Outcome {
	/** The figures for `--json`. */
	readonly figures: object;
	/** The figures for people; ends with a newline. */
	readonly text: () => string;
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

export interface Bench {
	readonly positionals: string;
	/** Lines about the flags. */
	readonly help: string;
	/** Takes the arguments after the name; returns 0, 1 if the bench found a fault, or 130 after Ctrl-C. */
	readonly run: (argv: readonly string[]) => Promise<number>;
}

const INTERRUPTED = 130;
const JSON_FLAG = { type: "boolean", default: false, about: "the figures as JSON" } as const;

export function defineBench<const F extends Flags>(definition: Definition<F>): Bench {
	const { positionals = "", notes } = definition;
	const options = { ...definition.flags, json: JSON_FLAG };
	return {
		positionals,
		help: `${[...describeFlags(options), ...(notes === undefined ? [] : ["", notes])].join("\n")}\n`,
		async run(argv) {
			const parsed = parseArgs({ args: [...argv], options, allowPositionals: positionals !== "" });
			const { json }: { readonly json?: boolean } = parsed.values;
			const { signal, release } = catchInterrupt();
			try {
				const { figures, text, hasFailed } = await definition.run({ ...parsed, signal });
				process.stdout.write(json ? `${JSON.stringify(figures)}\n` : text());
				return hasFailed ? 1 : signal.aborted ? INTERRUPTED : 0;
			} finally {
				release();
			}
		},
	};
}

function describeFlags(flags: Flags): readonly string[] {
	const rows = Object.entries(flags).map(([name, flag]) => {
		const value = flag.type === "string" ? ` ${flag.default ?? flag.example ?? "X"}` : "";
		return { flag: `--${name}${value}`, about: flag.about };
	});
	const width = Math.min(26, Math.max(...rows.map(({ flag }) => flag.length)));
	return rows.map(
		({ flag, about }) => `  ${flag.padEnd(width)}  ${about.replaceAll("\n", `\n${" ".repeat(width + 4)}`)}`,
	);
}

/** The first Ctrl-C aborts the signal, so that the run can print the figures it has; a second one ends the process. */
function catchInterrupt(): { readonly signal: AbortSignal; readonly release: () => void } {
	const stop = new AbortController();
	const abort = () => {
		process.stderr.write("\nStopping after the step in progress; press Ctrl-C again to stop at once.\n");
		stop.abort();
	};
	process.once("SIGINT", abort);
	return { signal: stop.signal, release: () => void process.off("SIGINT", abort) };
}

/**
 * Reads a whole number from `least` up.
 * @throws CwlError `bad-flag` naming the flag, the value found and the values allowed
 */
export function readCount(flag: string, text: string, least = 1): number {
	const value = Number(text);
	if (Number.isInteger(value) && value >= least) return value;
	throw new CwlError(
		"bad-flag",
		`--${flag} is ${JSON.stringify(text)}: use a whole number of at least ${least}.`,
	);
}

/** Reads one of some words. @throws CwlError `bad-flag` naming them */
export function readChoice<const T extends string>(flag: string, text: string, choices: readonly T[]): T {
	const found = choices.find((known) => known === text);
	if (found !== undefined) return found;
	throw new CwlError("bad-flag", `--${flag} is ${JSON.stringify(text)}: use ${choices.join(", ")}.`);
}

/** Reads budgets such as `80k,50k`, in tokens. @throws CwlError */
export function readBudgets(text: string): readonly number[] {
	return text.split(",").map((budget) => budgetTokens(parseBudget(budget.trim()), undefined));
}

/** Lines that are not on a terminal come at most this often, in ms. */
const MIN_PAUSE_MS = 5_000;

interface Progress {
	readonly done: number;
	readonly total: number;
	/** Plural noun for the steps, such as "kills". */
	readonly unit: string;
	readonly elapsedMs: number;
	/** Further words at the end of the line. */
	readonly note?: string;
}

/** Such as "20 of 100 kills, 50 s, about 3 min left". The time left assumes that steps take equally long. */
export function formatProgress({ done, total, unit, elapsedMs, note }: Progress): string {
	const leftMs = done > 0 ? (elapsedMs / done) * (total - done) : 0;
	const left = done > 0 && done < total ? [`about ${formatDuration(leftMs)} left`] : [];
	const notes = note === undefined ? [] : [note];
	return [`${done} of ${total} ${unit}`, formatDuration(elapsedMs), ...left, ...notes].join(", ");
}

function formatDuration(ms: number): string {
	const seconds = Math.round(ms / 1_000);
	if (seconds < 120) return `${seconds} s`;
	const minutes = Math.round(seconds / 60);
	return minutes < 120 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}

/** Returns a function to call after each step. A terminal shows one line that is rewritten. */
export function createProgress(total: number, unit: string): (done: number, note?: string) => void {
	const started = performance.now();
	let last = Number.NEGATIVE_INFINITY;
	return (done, note) => {
		const elapsedMs = performance.now() - started;
		const isEnd = done >= total;
		const { isTTY } = process.stderr;
		if (!isTTY && !isEnd && elapsedMs - last < MIN_PAUSE_MS) return;
		last = elapsedMs;
		const line = formatProgress({ done, total, unit, elapsedMs, ...(note !== undefined && { note }) });
		process.stderr.write(isTTY ? `\r\x1b[K${line}${isEnd ? "\n" : ""}` : `${line}\n`);
	};
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

/** The smallest value that at least this share of the values does not exceed (nearest rank); undefined without values. */
export function percentile(values: readonly number[], share: number): number | undefined {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}

/** Not a number without values. */
export const median = (values: readonly number[]): number => percentile(values, 0.5) ?? Number.NaN;
