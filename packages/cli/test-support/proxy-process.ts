/** The program `cwl proxy` in a process of its own, which ends with the test. */
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** The file that `cwl` runs. */
export const program = fileURLToPath(new URL("../bin.mjs", import.meta.url));

interface Running {
	readonly child: ChildProcess;
	readonly url: string;
	/** Its first lines. */
	readonly said: string;
}

/** Starts a proxy on a free port whose provider `test` is at this address. */
export async function startProgram(
	provider: string,
	store: string,
	...flags: readonly string[]
): Promise<Running> {
	const args = [
		program,
		"proxy",
		"--port",
		"0",
		"--store",
		store,
		"--upstream",
		`test=${provider}`,
		...flags,
	];
	const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
	onTestFinished(() => {
		child.kill("SIGKILL");
	});
	const begun = await new Promise<Pick<Running, "url" | "said">>((resolve, reject) => {
		let said = "";
		child.stdout.on("data", (data) => {
			said += data;
			const url = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
			if (url && said.includes("/test ")) resolve({ url, said });
		});
		child.on("exit", () => reject(new Error(`the proxy ended: ${said}`)));
	});
	return { child, ...begun };
}
