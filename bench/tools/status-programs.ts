/** git status: our tool, which also reads config and state and runs no program of the repository, against git alone. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { readGitStatus } from "#workspace";
import type { TimedProgram } from "./timing.ts";

const run = promisify(execFile);
/** Bytes of output. */
const MAX_OUTPUT = 256 * 2 ** 20;
const PATIENT_MS = 60_000;

/** Each program returns the number of entries that it saw. */
export function statusPrograms(root: string): readonly TimedProgram[] {
	return [
		{
			name: "git status",
			run: async () => {
				const args = ["status", "--porcelain=v2", "--branch", "-z", "--untracked-files=normal"];
				const { stdout } = await run("git", args, { cwd: root, maxBuffer: MAX_OUTPUT });
				return stdout.split("\0").filter((record) => /^[12u?]/.test(record)).length;
			},
		},
		{
			name: "ours",
			run: async () => {
				const status = await readGitStatus(root, { deadlineMs: PATIENT_MS });
				if (status.type !== "repository") throw new Error(`git status answered ${status.type}`);
				const { conflicts, staged, changed, untracked } = status;
				return new Set([...conflicts, ...[...staged, ...changed].map(({ path }) => path), ...untracked]).size;
			},
		},
	];
}
