/** Programs of the bench, each in a process of its own. */
import { execFileSync, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export interface Running {
	/** The first address that it printed. */
	readonly url: string;
	readonly pid: number | undefined;
	stop(): void;
}

const project = fileURLToPath(new URL("..", import.meta.url));

/** Starts a program of this project with Node. Rejects when it ends before it has printed an address. */
export function startProcess(args: readonly string[]): Promise<Running> {
	const child = spawn(process.execPath, [...args], { cwd: project, stdio: ["ignore", "pipe", "inherit"] });
	return new Promise((resolve, reject) => {
		let said = "";
		child.stdout.on("data", (data) => {
			said += data;
			const url = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
			if (url) resolve({ url, pid: child.pid, stop: () => void child.kill("SIGKILL") });
		});
		child.on("exit", () => reject(new Error(`${args.join(" ")} ended: ${said}`)));
	});
}

/** Builds dist/ and returns the program that runs it, for CWL_PROGRAM. */
export function buildProgram(): string {
	execFileSync("npm", ["run", "--silent", "build"], { cwd: project });
	return "bench/built-cwl.mjs";
}

/**
 * Starts `cwl proxy` on any free port, before a provider that it knows as /test. CWL_PROGRAM names the cwl that runs; the
 * source if it is not set, which starts slowly.
 */
export function startProxy(
	provider: Pick<Running, "url">,
	folder: string,
	...flags: readonly string[]
): Promise<Running> {
	const program = process.env.CWL_PROGRAM ?? "packages/cli/bin.mjs";
	const place = ["--port", "0", "--store", folder, "--upstream", `test=${provider.url}`];
	return startProcess([program, "proxy", ...place, ...flags]);
}
