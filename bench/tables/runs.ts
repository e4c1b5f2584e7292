/**
 * Makes kept figures again by the commands that their files name. In a command `DIR` is a folder of recorded sessions, `DIR/2026` one
 * of them from other projects; `CLONES` is a folder of clones.
 */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { CwlError, messageOf } from "#pi";
import type { Rows } from "../arms.ts";
import { PROJECT } from "../pi-host.ts";
import { PRICED } from "../single-session/run.ts";
import { keepReplay } from "./recorded.ts";

/** The longest first, so that two at a time end together. */
export const runs = [
	"hard-300",
	"hard",
	"hard-seeds",
	"hard-300-seeds",
	"normal",
	"follow-ups",
	"marks",
	"recorded-auto",
	"recorded-2026",
	"recorded-80k",
	"recorded-sonnet",
	"recorded-fable",
	"marks-300",
	"normal-300",
	"follow-ups-300",
	"budgets",
	"hard-1000",
	"commits",
] as const;

const REPLAY = "cwl replay --json";

const JITI = fileURLToPath(new URL("./jiti-cli.mjs", import.meta.resolve("jiti")));

/** Folders outside of the repository that commands name; empty for none. */
export interface Places {
	readonly DIR: string;
	readonly CLONES: string;
}

/** Returns true if the command needs no folder that was not named. */
export const canRun = (command: string, places: Places): boolean =>
	Object.entries(places).every(([name, folder]) => folder !== "" || !command.includes(`${name}/`));

/** The models whose prices the costs of a command have. */
export const pricesOf = (command: string): string => / --as (\S+)/.exec(command)?.[1] ?? PRICED;

/**
 * Runs a command and returns the figures to keep.
 * @throws CwlError `run-failed` with what the command said
 */
export async function measure(command: string, places: Places, signal: AbortSignal): Promise<Rows> {
	const [, args = ""] = command.split(/^(?:npm run --silent bench --|cwl) /);
	const isReplay = command.startsWith(REPLAY);
	const program = isReplay ? [join(PROJECT, "packages/cli/bin.mjs")] : [JITI, join(PROJECT, "bench/main.ts")];
	const words = args
		.replaceAll("DIR/", `${places.DIR}/`)
		.replaceAll("CLONES/", `${places.CLONES}/`)
		.split(" ");
	const options = { cwd: PROJECT, signal, maxBuffer: Number.POSITIVE_INFINITY };
	const ran = promisify(execFile)(process.execPath, [...program, ...words], options);
	const { stdout } = await ran.catch((error: unknown) => {
		throw new CwlError("run-failed", `${command} failed: ${messageOf(error).slice(-2_000)}`);
	});
	const figures = JSON.parse(stdout);
	return isReplay ? keepReplay(figures) : figures.conditions;
}
