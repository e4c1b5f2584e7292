/** The program `cwl proxy` in a process of its own, which ends with the test. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** The file that `cwl` runs. */
export const program = fileURLToPath(new URL("../bin.mjs", import.meta.url));

interface Running {
	readonly child: ChildProcess;
	readonly url: string;
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
	const url = await new Promise<string>((resolve, reject) => {
		let said = "";
		child.stdout.on("data", (data) => {
			said += data;
			const found = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
			if (found && said.includes("/test ")) resolve(found);
		});
		child.on("exit", () => reject(new Error(`the proxy ended: ${said}`)));
	});
	return { child, url };
}

/** Makes a folder for a store. */
export function newFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), "cwl-proxy-"));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}
