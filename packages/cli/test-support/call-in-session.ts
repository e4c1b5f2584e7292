/** A tool called in a session of the real pi, by a model that does nothing else. */
import { join } from "node:path";
import { startPiProcess, writeAgentDirectory } from "#testing/pi-driver";
import { startLoopback } from "#testing/server";
import { CWL } from "../../../extensions/cwl/test-support/trial.ts";
import { createScratch } from "../../workspace/test-support/scratch.ts";
import type { ToolCall, ToolResult } from "../built-in-tools.ts";

/** Returns the result as the model got it. */
export async function callInSession({ name, arguments: args }: ToolCall, cwd: string): Promise<ToolResult> {
	const agent = join(createScratch(), "agent");
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
		const pi = startPiProcess({
			command: [...CWL, "--no-session"],
			cwd,
			environment: { ...process.env, PI_CODING_AGENT_DIR: agent, PI_OFFLINE: "1" },
		});
		await pi.prompt("Call the tool.").finally(() => pi.close());
	} finally {
		await server.close();
	}
	if (result) return result;
	throw new Error(`the call of ${name} was not answered`);
}
