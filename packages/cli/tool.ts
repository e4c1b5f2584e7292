/** `cwl tool NAME '{json}'`: one tool call, as the model would see it. */
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRecord, type UnknownRecord } from "#core";
import { type ModelMessage, startLoopback, startPiProcess, writeAgentDirectory } from "#loopback";
import { CwlError, packageDirectory } from "#pi";
import { readArguments } from "./arguments.ts";

const help = `cwl tool NAME '{json}': one tool call here, answered as the model would see it

  NAME       glob, grep, read, bash, edit, write, or any other tool that a session has
  {json}     the arguments, {} without any
  --json     {"text": ..., "isError": ...} in place of the text

The real pi runs it, under pi's own settings and those of this folder; the model is a script that makes this call.
Exit code 0, or 1 when the model would be told of an error.
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
	const { text: answer, isError } = await callTool(name, parseCall(text));
	process.stdout.write(values.json ? `${JSON.stringify({ text: answer, isError })}\n` : `${answer}\n`);
	return isError ? 1 : 0;
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

type Result = Extract<ModelMessage, { type: "result" }>;

/** A session of its own in this directory, whose model makes the call and reads the answer. */
async function callTool(name: string, args: UnknownRecord): Promise<Result> {
	const agent = await mkdtemp(join(tmpdir(), "cwl-tool-"));
	let result: Result | undefined;
	const server = await startLoopback({
		model: ({ messages }) => {
			result = messages.find((message) => message.type === "result");
			return result ? { text: "Seen." } : { calls: [{ name, arguments: args }] };
		},
	});
	try {
		// Of the APIs, this is the one that tells the model whether a call failed.
		await writeAgentDirectory(agent, { url: server.url, api: "anthropic" });
		await runPi(agent);
	} finally {
		await server.close();
		await rm(agent, { recursive: true, force: true });
	}
	if (result) return result;
	throw new CwlError("no-answer", `the call of ${name} was not answered: cwl doctor says what is wrong.`);
}

/** One prompt; Ctrl-C ends pi, and with it the tool. */
async function runPi(agent: string): Promise<void> {
	const pi = startPiProcess({
		command: [process.execPath, join(packageDirectory(), "packages", "cli", "bin.mjs"), "--no-session"],
		cwd: process.cwd(),
		environment: { ...process.env, PI_CODING_AGENT_DIR: agent, PI_OFFLINE: "1" },
	});
	const interrupted = once(process, "SIGINT");
	try {
		await Promise.race([pi.prompt("Call the tool."), interrupted]);
	} finally {
		await pi.close();
	}
}
