import { existsSync } from "node:fs";

/** Linux enforces RLIMIT_DATA, which counts writable memory but not the files that git maps; other systems do not. */
export const CAN_LIMIT_MEMORY = process.platform === "linux" && existsSync("/bin/sh");

/** The same two limits are in `packages/workspace/git/limited-git.sh`: 1 GiB of memory, 30 seconds of processor time. */
const SET_LIMITS = 'ulimit -d 1048576; ulimit -t 30; exec "$@"';

/** The command line that runs a program under the limits, where the platform has them. */
export function limitMemory(
	program: string,
	args: readonly string[],
): readonly [program: string, ...args: readonly string[]] {
	return CAN_LIMIT_MEMORY ? ["/bin/sh", "-c", SET_LIMITS, "sh", program, ...args] : [program, ...args];
}
