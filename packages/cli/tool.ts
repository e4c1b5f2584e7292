/** `cwl tool NAME '{json}'`: runs one tool and prints the model's view of its result. */
import { isRecord, type UnknownRecord } from "#basics";
import { CwlError, messageOf } from "#pi";
import { toolWords } from "#pi/prompt";
import { suggestName } from "#pi/screen";
import { callBuiltIn } from "./built-in-tools.ts";
import { jsonText, readCommand } from "./command-line.ts";

const usage = `cwl tool NAME '{json}': runs one tool in this folder and prints the model's view of its result

  NAME       glob, grep, read, bash, edit, write, delimiter or recall, as a new session would answer
  {json}     the arguments; {} when left out
  --json     {"text": ..., "isError": ...} instead of the text

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
	const result = await callBuiltIn({ name, arguments: parseCall(text) }, process.cwd());
	if (result === undefined) throw noSuchTool(name);
	process.stdout.write(values.json ? jsonText(result) : `${result.text}\n`);
	return result.isError ? 1 : 0;
}

function noSuchTool(name: string): CwlError {
	const names = Object.keys(toolWords);
	const hint = suggestName(name, names) || ` cwl has ${names.join(", ")}.`;
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
		throw refuse(`are no JSON (${messageOf(error)})`);
	}
	if (!isRecord(value)) throw refuse(`are ${JSON.stringify(value).slice(0, 80)}`);
	return value;
}
