/**
 * `npm run bench -- prompt`: the tokens of system prompt and tools in every request, captured on the wire of each
 * API.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { markdownTable } from "#lab";
import type { ApiName } from "#loopback";
import { loadTokenCounter } from "#pi";
import { captureHeads } from "./capture.ts";

export const help = `npm run bench -- prompt: tokens of system prompt and tool definitions in a captured request of each API, for cwl
and for pi alone. docs/workspace.md lists the published figures of other agents

  --json   figures as JSON
`;

const flags = {
	json: { type: "boolean", default: false },
} as const;

const apis: readonly ApiName[] = ["completions", "responses", "anthropic"];

const agents = {
	cwl: join(import.meta.dirname, "..", "..", "packages", "cli", "bin.mjs"),
	"pi's own": fileURLToPath(new URL("./cli.js", import.meta.resolve("@mariozechner/pi-coding-agent"))),
};

export interface FixedCost {
	readonly agent: string;
	readonly api: ApiName;
	readonly tools: number;
	/** o200k tokens. */
	readonly tokens: { readonly system: number; readonly tools: number; readonly total: number };
}

/** Runs the bench and returns 0. */
export async function run(argv: readonly string[]): Promise<number> {
	const { values } = parseArgs({ args: [...argv], options: flags });
	const measured: FixedCost[] = [];
	for (const [agent, program] of Object.entries(agents)) measured.push(...(await measure(agent, program)));
	const date = new Date().toISOString().slice(0, 10);
	const report = { version: 1, date, node: process.versions.node, measured };
	process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : formatReport(measured));
	return 0;
}

async function measure(agent: string, program: string): Promise<readonly FixedCost[]> {
	const count = await loadTokenCounter();
	const heads = await captureHeads([process.execPath, program], apis);
	return heads.map(({ api, system, tools, toolNames }) => {
		const [ofSystem, ofTools] = [count(system), count(tools)];
		const tokens = { system: ofSystem, tools: ofTools, total: ofSystem + ofTools };
		return { agent, api, tools: toolNames.length, tokens };
	});
}

function formatReport(measured: readonly FixedCost[]): string {
	const rows = measured.map(({ agent, api, tools, tokens }) =>
		[`${agent}, ${api}`, tools, tokens.system, tokens.tools, tokens.total].map(String),
	);
	const lines = [
		"In o200k tokens, from a captured request:",
		"",
		...markdownTable([["", "tools", "system prompt", "tool definitions", "together"], ...rows]),
	];
	return `${lines.join("\n")}\n`;
}
