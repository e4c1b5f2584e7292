/** `cwl tool NAME '{json}'`: runs one tool and prints the model's view of its result. */
import { isRecord, type UnknownRecord } from "#core";
import { CwlError, suggestName, toolWords } from "#pi";
import { readArguments } from "./arguments.ts";
import { callBuiltIn, type ToolCall, type ToolResult } from "./built-in-tools.ts";

const help = `cwl tool NAME '{json}': runs one tool in this folder and prints the model's view of its result

  NAME       glob, grep, read, bash, edit, write, delimiter or recall, as a new session would answer;
             or a tool of another extension
  {json}     the arguments; {} when left out
  --json     {"text": ..., "isError": ...} instead of the text

A tool of another extension starts pi with a scripted model that makes the call, which takes seconds.
Exit code 0, or 1 when the result is an error.
`;

const flags = { json: { type: "boolean" }, help: { type: "boolean", short: "h" } } as const;

/** Run the command; throws a `CwlError` for wrong arguments. */
export async function runTool(argv: readonly string[]): Promise<number> {
	const { values, positionals } = readArguments({ args: [...argv], options: flags, allowPositionals: true });
	if (values.help) {
		process.stdout.write(help);
		return 0;
	}
	const [name, text = "{}", ...more] = positionals;
	if (name === undefined || more.length > 0) {
		throw new CwlError("bad-call", `use one name and one JSON text: cwl tool grep '{"pattern": "TODO"}'`);
	}
	refuseTypo(name);
	const cwd = process.cwd();
	const call = { name, arguments: parseCall(text) };
	const { text: answer, isError } = (await callBuiltIn(call, cwd)) ?? (await callOther(call, cwd));
	if (isError && answer === `Tool ${name} not found`)
		throw noSuchTool(name, ` cwl has ${toolNames.join(", ")}; no extension of yours adds it.`);
	process.stdout.write(values.json ? `${JSON.stringify({ text: answer, isError })}\n` : `${answer}\n`);
	return isError ? 1 : 0;
}

/** Loaded for such calls only: the loopback server and its tokenizer take longer to load than a built-in tool runs. */
async function callOther(call: ToolCall, cwd: string): Promise<ToolResult> {
	const { callInSession } = await import("./tool-session.ts");
	return await callInSession(call, cwd);
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
