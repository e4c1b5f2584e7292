/** `cwl`: a sub-command of ours, or the terminal agent with pi's own arguments. */
import { CwlError } from "#pi";

const help = `cwl: a pi coding agent whose session stays under a token budget

  cwl [pi's arguments]     the terminal agent: pi with Context Window Lifecycle built in
      --cwl-budget 80k     tokens, or a share of the model's window such as 40%
      --cwl-policy NAME    eviction policy
  cwl resume [SESSION]     go on with a session; \`--soft\`: a fresh one from what it came to
  cwl notes [SESSION]      its goal and episodes as Markdown that you can edit, and that is read back
  cwl report [SESSION]     what became of a session's context, as one HTML page; \`--redact\`, \`--json\`
  cwl demo                 watch it work on a scratch repository, with no key and no network
  cwl replay [PATH...]     recorded sessions through the same engine, as figures
  cwl tool NAME '{json}'   one tool call here, answered as the model would see it
  cwl bench NAME           measure this project on this machine; \`cwl bench help\` lists what
  cwl doctor               versions, settings in force, what the prompt costs
  cwl help                 this text; \`cwl COMMAND --help\` tells more, \`cwl --help\` is pi's own

With no arguments and no terminal or no model configured, cwl runs the demo.
`;

/** A command answers its exit code; the agent answers nothing, since pi ends the process itself. */
type Command = (argv: readonly string[]) => Promise<number | undefined>;

const commands: Readonly<Record<string, () => Promise<Command>>> = {
	resume: async () => (await import("./resume.ts")).runResume,
	notes: async () => (await import("./notes.ts")).runNotes,
	demo: async () => (await import("./demo.ts")).runDemo,
	replay: async () => (await import("./replay.ts")).runReplay,
	tool: async () => (await import("./tool.ts")).runTool,
	bench: async () => (await import("./bench.ts")).runBench,
	report: async () => (await import("./report.ts")).runReport,
	doctor: async () => (await import("./doctor.ts")).runDoctor,
	help: async () => async () => {
		process.stdout.write(help);
		return 0;
	},
};

/** Run the program. Expected errors become one line on stderr and exit code 2. */
export async function run(argv: readonly string[]): Promise<number | undefined> {
	const [name = "", ...rest] = argv;
	try {
		const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
		if (load) {
			process.stdout.on("error", ignoreGoneReader);
			return await (await load())(rest);
		}
		const { runAgent } = await import("./agent.ts");
		return await runAgent(argv);
	} catch (error) {
		if (!isExpected(error)) throw error;
		process.stderr.write(`cwl: ${error.message}\n`);
		return 2;
	}
}

/** Whoever reads what we print may have had enough, as `head` has: files that are still to be written are written. */
function ignoreGoneReader(error: NodeJS.ErrnoException) {
	if (error.code !== "EPIPE") throw error;
}

/** Our own errors, and those of `node:util` for wrong flags, whose messages name the flag. */
function isExpected(error: unknown): error is Error {
	if (error instanceof CwlError) return true;
	return error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
}
