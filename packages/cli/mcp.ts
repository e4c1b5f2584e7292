/** `cwl mcp`: our tools for agents that speak the Model Context Protocol. */
import { CwlError } from "#pi";
import { readArguments } from "./arguments.ts";

const usage = `cwl mcp: serves delimiter, recall, glob and grep to an agent, over the Model Context Protocol on stdin and stdout

Your agent starts it. Add it under the name cwl, in addition to cwl proxy --enforce:
  claude mcp add cwl -- cwl mcp
  codex mcp add cwl -- cwl mcp
  opencode.json: "mcp": {"cwl": {"type": "local", "command": ["cwl", "mcp"]}}
`;

/** Serves until the agent closes stdin; returns 0 then. @throws CwlError `no-mcp` without the optional SDK */
export async function runMcp(argv: readonly string[]): Promise<number> {
	const { values } = readArguments({
		args: [...argv],
		options: { help: { type: "boolean", short: "h", default: false } },
	});
	if (values.help) {
		process.stdout.write(usage);
		return 0;
	}
	const { serveTools } = await loadServer();
	await serveTools(process.cwd());
	return 0;
}

/** Only here is the SDK loaded: it is an optional dependency, and large. */
async function loadServer() {
	try {
		return await import("./mcp-server.ts");
	} catch (error) {
		const isMissing =
			error instanceof Error && "code" in error && String(error.code).endsWith("MODULE_NOT_FOUND");
		if (!isMissing) throw error;
		throw new CwlError(
			"no-mcp",
			"the package @modelcontextprotocol/sdk is not installed: run npm install @modelcontextprotocol/sdk next to cwl, or install cwl again without --omit=optional.",
		);
	}
}
