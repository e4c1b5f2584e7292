/**
 * The commands behind the kept figures, and what is kept of their JSON. `DIR` is a folder of recorded sessions, `DIR/2026` one of them
 * from other projects; `CLONES` is a folder of clones.
 */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { CwlError, messageOf } from "#pi";
import type { Rows } from "../arms.ts";
import { PROJECT } from "../pi-host.ts";
import { faults } from "../single-session/bad-marks.ts";
import { PRICED } from "../single-session/run.ts";
import { keepReplay } from "./recorded.ts";

const TASKS = "npm run --silent bench -- single-session --json --budget 80k";
const HARD = `${TASKS} --difficulty hard`;
const FIVE = "--seeds 5 --conditions compaction@40k,compaction,cwl,cwl-unmarked-100";
const REPLAY = "cwl replay --json";
const DAMAGED = faults.map((fault) => `cwl-${fault}-100`).join();
const WORST = "cwl-never-ended-100,cwl-flipped-100,cwl-name-reused-100,cwl-unmarked-50";
/** pi compacts by itself at its window of 200,000 tokens less 16,384. */
const SIZES = "compaction@24k,compaction@40k,compaction,compaction@160k,compaction@183616";
const BOTH = "cwl,cwl-unmarked-100";
const AUTO = "cwl@auto,cwl-unmarked-100@auto";
const SUMMARIES = "compaction-full,compaction-lossy,compaction-inventing";
const PAIRS = `compaction@40k,compaction,${BOTH}`;
const RECORDED = "none,compaction,paper,cwl";
const DIALS = "cwl-economy,cwl-quality";
const OPUS = "anthropic/claude-opus-5-5";
const CHAINS = "CLONES/fastify#83e69762 CLONES/flask#a411a243";

/** The longest first, so that two at a time end together. */
export const commands: Readonly<Record<string, string>> = {
	"hard-300": `${HARD} --added 300 --conditions isolated,none,${SIZES},paper,${BOTH},${AUTO}`,
	hard: `${HARD} --conditions isolated,none,${SIZES},${SUMMARIES},paper,cwl-without-recall,${BOTH},${AUTO}`,
	"hard-seeds": `${HARD} ${FIVE}`,
	"hard-300-seeds": `${HARD} --added 300 ${FIVE}`,
	normal: `${TASKS} --conditions isolated,${PAIRS}`,
	"follow-ups": `${TASKS} --difficulty follow-ups --conditions ${PAIRS}`,
	marks: `${HARD} --conditions ${DAMAGED},cwl-unmarked-50`,
	"recorded-auto": `${REPLAY} --as ${OPUS} --policy ${RECORDED},${DIALS} DIR/recorded`,
	"recorded-2026": `${REPLAY} --as ${OPUS} --policy ${RECORDED},${DIALS} DIR/2026`,
	"recorded-80k": `${REPLAY} --budget 80k --as ${OPUS} --policy ${RECORDED} DIR/recorded`,
	"recorded-sonnet": `${REPLAY} --as anthropic/claude-sonnet-4-6 --policy none,compaction,cwl DIR/recorded`,
	"recorded-fable": `${REPLAY} --as anthropic/claude-fable-5-1 --policy none,compaction,cwl DIR/recorded`,
	"marks-300": `${HARD} --added 300 --conditions ${WORST}`,
	"normal-300": `${TASKS} --added 300 --conditions ${PAIRS}`,
	"follow-ups-300": `${TASKS} --difficulty follow-ups --added 300 --conditions ${PAIRS}`,
	budgets: `${TASKS.replace("80k", "50k,80k,120k")} --conditions isolated,none,paper,cwl`,
	"hard-1000": `${HARD} --added 1000 --conditions compaction@24k,compaction@40k,compaction,${BOTH}`,
	commits: `npm run --silent bench -- commits ${CHAINS} --commits 60 --conditions isolated,none,compaction@40k,compaction,cwl,cwl-without-marks --json`,
};

const PEER = "npm run bench -- live --rehearse --yes --seed 1 --arms peer --peer PATH";

/** Commands behind the figures of other extensions, each for one arm: `peer`, or one of ours to compare it with. */
export const peerCommands: Readonly<Record<string, string>> = {
	peers: `${PEER} --source recall --tasks 40 --budget 40k`,
	"peers-hard": `${PEER} --source hard --tasks 89 --budget 40k`,
	"peers-hard-300": `${PEER} --source hard --tasks 89 --budget 40k --added 300`,
};

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
