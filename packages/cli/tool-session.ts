/** Any tool, called by a scripted model in a session of the real pi, under pi's settings and those of this folder. */
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startLoopback, startPiProcess, writeAgentDirectory } from "#loopback";
import { CwlError, packageDirectory } from "#pi";
import type { ToolCall, ToolResult } from "./built-in-tools.ts";
import { chooseHost } from "./host-finder.ts";

/**
 * Makes the call in a session of its own in a folder.
 * @throws CwlError `no-answer` when pi did not answer the call
 */
export async function callInSession({ name, arguments: args }: ToolCall, cwd: string): Promise<ToolResult> {
	// Without a pi to run, nothing starts.
	chooseHost();
	const agent = await mkdtemp(join(tmpdir(), "cwl-tool-"));
	let result: ToolResult | undefined;
	const server = await startLoopback({
		model: ({ messages }) => {
			result = messages.find((message) => message.type === "result");
			return result ? { text: "Seen." } : { calls: [{ name, arguments: args }] };
		},
	});
	try {
		// This API marks failed calls in the request.
		await writeAgentDirectory(agent, { url: server.url, api: "anthropic" });
		await runPi(agent, cwd);
	} finally {
		await server.close();
		await rm(agent, { recursive: true, force: true });
	}
	if (result) return result;
	throw new CwlError("no-answer", `the call of ${name} was not answered: cwl doctor says what is wrong.`);
}

/** One prompt; Ctrl-C ends pi, and with it the tool. */
async function runPi(agent: string, cwd: string): Promise<void> {
	const pi = startPiProcess({
		command: [process.execPath, join(packageDirectory(), "packages", "cli", "bin.mjs"), "--no-session"],
		cwd,
		environment: { ...process.env, PI_CODING_AGENT_DIR: agent, PI_OFFLINE: "1" },
	});
	const interrupted = once(process, "SIGINT");
	try {
		await Promise.race([pi.prompt("Call the tool."), interrupted]);
	} finally {
		await pi.close();
	}
}
