/** `cwl`: the first argument is a command of cwl's, a command of pi's, or the beginning of the agent's own arguments. */
import { CwlError } from "#pi";
import { nearestName } from "#pi/screen";
import { policyNames } from "#pi/session";
import { piCommands, print, reportExpected } from "./command-line.ts";

const help = `cwl: the pi coding agent in one long session that stays under a token budget

Start the agent in the folder of your project:
  cwl                      open the agent; /login in it connects a model
  cwl "fix the tests"      open the agent with a prompt; -p prints the answer and ends
      --cwl-budget 80k     token budget, or a share of the model's window such as 40%
      --cwl-policy NAME    eviction policy: ${policyNames().slice(0, 3).join(", ")},
                           ${policyNames().slice(3).join(", ")}
  cwl --or-demo            open the agent if a model is configured, otherwise run the demo
  cwl -- ARGUMENTS         pass all arguments to pi, with cwl loaded; cwl -- --help lists pi's own
  cwl resume [SESSION]     continue a session; --soft continues with a summary in place of its history

See what it does:
  cwl demo                 watch a recorded session with and without it, for 8 seconds; without pi, key or network
  cwl replay [PATH...]     replay recorded sessions: cost and content kept, compared with pi's compaction
  cwl report [SESSION]     write one HTML page about a session: context, passes, cost; --redact, --json, --trajectory
  cwl memory               what earlier sessions found out about this repository; update, --json
  cwl memory brief         a session's goal and episodes as Markdown, and your edits read back
  cwl doctor               versions, settings in force and their source, tokens of prompt and tools

For other agents, and for programs:
  cwl proxy                watch or limit the context of any other agent: Claude Code, Codex, opencode
  cwl mcp                  give such an agent delimiter and recall, as a server of the Model Context Protocol
  cwl tool NAME '{json}'   run one tool in this folder and print the model's view of its result

  cwl help COMMAND         the flags of a command; cwl COMMAND --help is the same
  cwl --version            cwl's version and the version of the pi that it runs

Other arguments are pi's. One bare word is always a command: quote a prompt that has spaces, or write cwl -- WORD.
`;

/** Returns the exit code, or undefined for the agent: pi ends the process itself. */
type Command = (argv: readonly string[]) => Promise<number | undefined>;

const commands: Readonly<Record<string, () => Promise<Command>>> = {
	resume: async () => (await import("./agent.ts")).runResume,
	demo: async () => (await import("./demo.ts")).runDemo,
	replay: async () => (await import("./replay.ts")).runReplay,
	report: async () => (await import("./report.ts")).runReport,
	memory: async () => (await import("./memory.ts")).runMemory,
	doctor: async () => (await import("./doctor.ts")).runDoctor,
	proxy: async () => (await import("./proxy.ts")).runProxy,
	mcp: async () => (await import("./mcp.ts")).runMcp,
	tool: async () => (await import("./tool.ts")).runTool,
	"--or-demo": async () => async (argv) =>
		argv.includes("--help") ? print(help) : (await import("./agent.ts")).runAgentOrDemo(argv),
	"--": async () => (await import("./agent.ts")).runAgent,
	"--help": async () => runHelp,
	"--version": async () => async () => print((await import("./doctor.ts")).describeVersions()),
};

const aliases: Readonly<Record<string, string>> = {
	help: "--help",
	"-h": "--help",
	version: "--version",
	"-v": "--version",
};

/** Run the program and return its exit code. An expected error becomes one line on stderr and exit code 2. */
export async function run(argv: readonly string[]): Promise<number | undefined> {
	return await reportExpected("cwl", async () => {
		const [first = "", ...rest] = argv;
		const name = Object.hasOwn(aliases, first) ? (aliases[first] ?? "") : first;
		const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
		if (load) {
			process.stdout.on("error", ignoreClosedPipe);
			return await (await load())(rest);
		}
		refuseUnknownCommand(argv);
		const { runAgent } = await import("./agent.ts");
		return await runAgent(argv);
	});
}

/** Prints the help of a command, or of all. */
async function runHelp([name]: readonly string[]): Promise<number | undefined> {
	if (name === undefined) return print(help);
	refuseUnknownCommand([name]);
	return await run([name, "--help"]);
}

/**
 * Refuse a first argument that can only be a mistyped command, one bare word, or a mistyped flag of cwl's.
 * @throws CwlError `no-command` with the nearest command, and with the way to send the word to the model
 */
function refuseUnknownCommand(argv: readonly string[]) {
	const [first = ""] = argv;
	// pi's --session is two letters from --version.
	const meant = nearestName(first, ["--help", "--version", "--or-demo", "--session"]);
	if (meant !== undefined && meant !== first && meant !== "--session")
		throw new CwlError("no-command", `there is no flag ${first} here. Did you mean "cwl ${meant}"?`);
	if (!/^[A-Za-z][\w-]*$/.test(first) || [...Object.keys(commands), ...piCommands].includes(first)) return;
	const names = Object.keys(commands).filter((name) => !name.startsWith("-"));
	const nearest = nearestName(first, [...names, ...piCommands]);
	const suggestion = nearest ? `Did you mean "cwl ${nearest}"?` : "cwl --help lists all.";
	const prompt = argv.length > 1 ? `quote it: cwl "${argv.join(" ")}"` : `write: cwl -- ${first}`;
	throw new CwlError(
		"no-command",
		`there is no command "${first}". ${suggestion} If it is a prompt, ${prompt}`,
	);
}

/** A reader of stdout, such as `head`, may close it early; files that remain to be written are still written. */
function ignoreClosedPipe(error: NodeJS.ErrnoException) {
	if (error.code !== "EPIPE") throw error;
}
