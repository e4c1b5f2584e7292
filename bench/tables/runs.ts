/** The commands behind the kept figures that need no network, and what is kept of their JSON. `DIR` is a folder of recorded sessions. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { CwlError, messageOf } from "#pi";
import { PROJECT } from "../pi-host.ts";
import { faults } from "../single-session/model-wrappers.ts";
import { keepReplay, keepTasks } from "./kept.ts";

const TASKS = "npm run --silent bench -- single-session --in-process --json --budget 80k";
const REPLAY = "cwl replay --json --no-times";
const DAMAGED = faults.flatMap((fault) => [`${fault}-50`, `${fault}-100`]);
const damagedMarks = (policy: string) => [policy, ...DAMAGED.map((marks) => `${policy}-${marks}`)].join();
const RECORDED = "none,compaction,paper-adapted,paper,cwl";
const FIXED = "none,compaction,paper,paper-adapted,cwl,cwl-economy,cwl-quality,lru";

/** The longest first, so that two at a time end together. */
export const commands: Readonly<Record<string, string>> = {
	marks: `${TASKS} --difficulty hard --seeds 5 --conditions ${damagedMarks("cwl")}`,
	hard: `${TASKS} --difficulty hard --seeds 5 --conditions isolated,none,compaction,recency,window,paper,paper-without-recall,cwl,cwl-economy`,
	"marks-quality": `${TASKS} --difficulty hard --conditions ${damagedMarks("cwl-quality")}`,
	"marks-paper": `${TASKS} --difficulty hard --conditions ${damagedMarks("paper")}`,
	"follow-ups": `${TASKS} --difficulty follow-ups --seeds 5 --conditions compaction,cwl,cwl-quality`,
	tasks: `${TASKS} --conditions isolated,none,compaction,paper,cwl,cwl-economy`,
	budgets: `${TASKS.replace("80k", "50k,120k")} --conditions none,paper,cwl`,
	"recorded-80k": `${REPLAY} --budget 80k --as anthropic/claude-opus-5-5 --policy ${FIXED} DIR`,
	window: `${REPLAY} --budget 80k --annotate runs --policy none,fifo,lru,priority,type,semantic-merge,hybrid,cwl DIR`,
	replay: `${REPLAY} --budget 80k --annotate runs --policy none,compaction,paper,paper-adapted,cwl,cwl-economy DIR`,
	fading: `${REPLAY} --budget 40k --annotate runs --policy none,cwl,cwl:fading=on,cwl:fading=placeholder DIR`,
	"recorded-auto": `${REPLAY} --policy ${RECORDED} DIR`,
	"recorded-sonnet": `${REPLAY} --as anthropic/claude-sonnet-4-6 --policy none,cwl DIR`,
	"recorded-opus": `${REPLAY} --as anthropic/claude-opus-5-5 --policy none,cwl DIR`,
	"recorded-fable": `${REPLAY} --as anthropic/claude-fable-5-1 --policy none,cwl DIR`,
	search: "npm run --silent bench -- search --json",
};

const JITI = fileURLToPath(new URL("./jiti-cli.mjs", import.meta.resolve("jiti")));

/** Returns true if the command replays recorded sessions. */
export const needsSessions = (command: string): boolean => command.endsWith(" DIR");

/**
 * Runs a command, with `sessions` as the folder of recorded sessions, and returns the figures to keep.
 * @throws CwlError `run-failed` with what the command said
 */
export async function measure(command: string, sessions: string, signal: AbortSignal): Promise<unknown> {
	const [, args = ""] = command.split(/^(?:npm run --silent bench --|cwl) /);
	const isReplay = command.startsWith(REPLAY);
	const program = isReplay ? [join(PROJECT, "packages/cli/bin.mjs")] : [JITI, join(PROJECT, "bench/main.ts")];
	const words = args.split(" ").map((word) => (word === "DIR" ? sessions : word));
	const options = { cwd: PROJECT, signal, maxBuffer: Number.POSITIVE_INFINITY };
	const ran = promisify(execFile)(process.execPath, [...program, ...words], options);
	const { stdout } = await ran.catch((error: unknown) => {
		throw new CwlError("run-failed", `${command} failed: ${messageOf(error).slice(-2_000)}`);
	});
	const figures = JSON.parse(stdout);
	if (isReplay) return keepReplay(figures);
	return command.includes("single-session") ? keepTasks(figures) : figures;
}
