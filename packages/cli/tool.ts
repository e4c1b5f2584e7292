/** `cwl tool NAME '{json}'`: runs one tool and prints the model's view of its result. */

import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRecord, type UnknownRecord } from "#basics";
import { CwlError, packageDirectory } from "#pi";
import { toolWords } from "#pi/prompt";
import { suggestName } from "#pi/screen";
import { callBuiltIn, type ToolCall, type ToolResult } from "./built-in-tools.ts";
import { jsonText, readCommand } from "./command-line.ts";
import { chooseHost } from "./host.ts";

const usage = `cwl tool NAME '{json}': runs one tool in this folder and prints the model's view of its result

  NAME       glob, grep, read, bash, edit, write, delimiter or recall, as a new session would answer;
             or a tool of another extension
  {json}     the arguments; {} when left out
  --json     {"text": ..., "isError": ...} instead of the text

A tool of another extension starts pi with a scripted model that makes the call, which takes seconds.
Exit code 0, or 1 when the result is an error.
`;

/** Run the command; throws a `CwlError` for wrong arguments. */
export async function runTool(argv: readonly string[]): Promise<number> {
	const read = readCommand(argv, usage, { json: { type: "boolean" } }, true);
	if (!read) return 0;
	const { values, positionals } = read;
	const [name, text = "{}", ...more] = positionals;
	if (name === undefined || more.length > 0) {
		throw new CwlError("bad-call", `use one name and one JSON text: cwl tool grep '{"pattern": "TODO"}'`);
	}
	refuseTypo(name);
	const cwd = process.cwd();
	const call = { name, arguments: parseCall(text) };
	const { text: answer, isError } = (await callBuiltIn(call, cwd)) ?? (await callInSession(call, cwd));
	if (isError && answer === `Tool ${name} not found`)
		throw noSuchTool(name, ` cwl has ${toolNames.join(", ")}; no extension of yours adds it.`);
	process.stdout.write(values.json ? jsonText({ text: answer, isError }) : `${answer}\n`);
	return isError ? 1 : 0;
}

/** @throws CwlError `no-tool` for a name that is close to a tool's; other extensions may have tools of any other name */
function refuseTypo(name: string) {
	const hint = toolNames.includes(name) ? "" : suggestName(name, toolNames);
	if (hint !== "") throw noSuchTool(name, hint);
}

const toolNames = Object.keys(toolWords);

function noSuchTool(name: string, hint: string): CwlError {
	return new CwlError("no-tool", `there is no tool ${JSON.stringify(name)}.${hint}`);
}

function parseCall(text: string): UnknownRecord {
	const refuse = (problem: string) =>
		new CwlError(
			"bad-arguments",
			`the arguments ${problem}: give one JSON object, such as '{"path": "README.md"}'.`,
		);
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch (error) {
		throw refuse(`are no JSON (${error instanceof Error ? error.message : String(error)})`);
	}
	if (!isRecord(value)) throw refuse(`are ${JSON.stringify(value).slice(0, 80)}`);
	return value;
}

/**
 * Makes the call in a session of the real pi, with a scripted model, under pi's settings and those of a folder.
 * @throws CwlError `no-answer` when pi did not answer the call
 */
export async function callInSession({ name, arguments: args }: ToolCall, cwd: string): Promise<ToolResult> {
	// Without a pi to run, nothing starts.
	chooseHost();
	// Loaded for such calls only: the server and its tokenizer take longer to load than a built-in tool runs.
	const { startLoopback } = await import("#testing/server");
	const { startPiProcess } = await import("#testing/pi-driver");
	const { writeAgentDirectory } = await import("#testing/pi-driver");
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
		const pi = startPiProcess({
			command: [process.execPath, join(packageDirectory(), "packages", "cli", "bin.mjs"), "--no-session"],
			cwd,
			environment: { ...process.env, PI_CODING_AGENT_DIR: agent, PI_OFFLINE: "1" },
		});
		// Ctrl-C ends pi, and with it the tool.
		await Promise.race([pi.prompt("Call the tool."), once(process, "SIGINT")]).finally(() => pi.close());
	} finally {
		await server.close();
		await rm(agent, { recursive: true, force: true });
	}
	if (result) return result;
	throw new CwlError("no-answer", `the call of ${name} was not answered: cwl doctor says what is wrong.`);
}
