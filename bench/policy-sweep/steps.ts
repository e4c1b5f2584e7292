/** The long runs of a sweep. Each keeps what it has finished, and starts again behind it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CwlError } from "#pi";

/** From less than one task needs to more than most sessions have. */
export const DEFAULT_BUDGETS = "20k,30k,40k,50k,60k,80k,120k,160k";
const CAPPED = "compaction,paper,cwl,cwl-economy";
/** Its prices decide when a policy evicts; the others only price the same requests. */
const REPLAYED_AS = "anthropic/claude-opus-5";
const PRICED = ["anthropic/claude-opus-5-5", "anthropic/claude-fable-5-1"];

export interface SweepPlan {
	/** Recorded sessions, files or folders. */
	readonly paths: readonly string[];
	/** The folder of what is finished. */
	readonly folder: string;
	/** The sample of the sessions, such as `1/4`. */
	readonly shard: string;
	readonly seeds: string;
	readonly tasks: string;
	/** Such as `20k,80k`. */
	readonly budgets: string;
}

export interface Step {
	readonly name: string;
	/** For Node, in the project's folder. */
	readonly argv: readonly string[];
}

export const tasksFolder = ({ folder }: Pick<SweepPlan, "folder">) => join(folder, "tasks");
/** One file for each sample, since rows of several samples would count together. */
export const rowsFile = ({ folder, shard }: Pick<SweepPlan, "folder" | "shard">) =>
	join(folder, `rows-${shard.replace("/", "-of-")}.jsonl`);

export function stepsOf(plan: SweepPlan): readonly Step[] {
	return [
		{ name: "tasks", argv: tasksRun(plan, "normal") },
		{ name: "hard tasks", argv: tasksRun(plan, "hard") },
		{ name: "recorded sessions", argv: sessionsRun(plan) },
	];
}

const jiti = fileURLToPath(new URL("./jiti-cli.mjs", import.meta.resolve("jiti")));

function tasksRun(plan: SweepPlan, difficulty: string): readonly string[] {
	return [
		...[jiti, "bench/main.ts", "single-session", "--in-process", "--keep", tasksFolder(plan)],
		...["--difficulty", difficulty, "--tasks", plan.tasks, "--seeds", plan.seeds, "--budget", plan.budgets],
		...["--conditions", `isolated,none,${CAPPED}`],
	];
}

function sessionsRun(plan: SweepPlan): readonly string[] {
	return [
		...["packages/cli/bin.mjs", "replay", ...plan.paths, "--rows", rowsFile(plan), "--shard", plan.shard],
		...["--jobs", "1", "--no-times", "--annotate", "runs", "--what-if", plan.budgets, "--policy", CAPPED],
		...["--as", REPLAYED_AS, ...PRICED.flatMap((model) => ["--model", model])],
	];
}

const project = join(import.meta.dirname, "..", "..");

/**
 * Runs one step after the other; each says on stderr how far it is and how long it still takes.
 * Returns false where Ctrl-C stopped one.
 * @throws CwlError `failed-run` naming the step that failed
 */
export async function runSteps(steps: readonly Step[], signal: AbortSignal): Promise<boolean> {
	for (const [index, { name, argv }] of steps.entries()) {
		if (signal.aborted) return false;
		process.stderr.write(`step ${index + 1} of ${steps.length}: ${name}\n`);
		const child = spawn(process.execPath, argv, { cwd: project, stdio: ["ignore", "ignore", "inherit"] });
		const [code] = await once(child, "close");
		if (signal.aborted || code === 130) return false;
		if (code !== 0) {
			throw new CwlError(
				"failed-run",
				`step ${index + 1}, ${name}, ended with code ${code}; its reason is above.`,
			);
		}
	}
	return true;
}
