/** The program `cwl proxy` in a process of its own, which ends with the test. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** The file that `cwl` runs. */
export const program = fileURLToPath(new URL("../bin.mjs", import.meta.url));

/** Starts a proxy on a free port whose provider `test` is at this address. `said`: its first lines. */
export async function startProgram(provider: string, store: string, ...flags: readonly string[]) {
	const own = ["--port", "0", "--store", store, "--upstream", `test=${provider}`];
	const child = spawn(process.execPath, [program, "proxy", ...own, ...flags], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	onTestFinished(() => {
		child.kill("SIGKILL");
	});
	const begun = await new Promise<{ readonly url: string; readonly said: string }>((resolve, reject) => {
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
