/** `npm run bench -- NAME`: measures this project, one file of the table below a measurement. */
import { CwlError } from "#pi";
import { reportExpected } from "../packages/cli/expected-error.ts";

/** Takes the arguments after its name; returns the exit code. `--help` prints its flags. */
type Bench = (argv: readonly string[]) => Promise<number>;

interface Entry {
	/** One line of the list of benches. */
	readonly summary: string;
	/** Imported at its use, since a bench may load much. */
	readonly load: () => Promise<Bench>;
}

const DEFAULT_BENCH = "micro";

const benches: Readonly<Record<string, Entry>> = {
	"single-session": {
		summary: "many tasks in one session through the real pi, under one policy and another",
		load: async () => (await import("./single-session/command.ts")).runSingleSessionBench,
	},
	history: {
		summary: "a generated history of any size through cwl replay, and its peak memory",
		load: async () => (await import("./history/command.ts")).runHistoryBench,
	},
	micro: {
		summary: "the time that cwl adds to a request, in sessions of up to 10,000 messages",
		load: async () => (await import("./micro/command.ts")).runMicroBench,
	},
	prompt: {
		summary: "tokens of system prompt and tools on the wire of each API, compared with pi's own and others",
		load: async () => (await import("./fixed-cost/command.ts")).runPromptBench,
	},
	search: {
		summary: "tokens to answer questions about code: whole files, shell grep, and cwl's tools",
		load: async () => (await import("./search/command.ts")).runSearchBench,
	},
	startup: {
		summary: "the time that the extension adds to the start of pi",
		load: async () => (await import("./startup.ts")).runStartupBench,
	},
	tools: {
		summary: "glob, grep and git status compared with the programs that do the same",
		load: async () => (await import("./tools/run.ts")).runToolsBench,
	},
};

/**
 * Run one bench and return its exit code.
 * @throws CwlError `no-bench` when the name is unknown
 */
async function run(argv: readonly string[]): Promise<number> {
	const isNamed = argv[0] !== undefined && !argv[0].startsWith("-");
	const [name = DEFAULT_BENCH, ...rest] = isNamed ? argv : [DEFAULT_BENCH, ...argv];
	if (name === "help") {
		process.stdout.write(describeBenches());
		return 0;
	}
	const entry = Object.hasOwn(benches, name) ? benches[name] : undefined;
	if (entry) return (await entry.load())(rest);
	const names = Object.keys(benches).join(", ");
	throw new CwlError("no-bench", `there is no bench ${JSON.stringify(name)}: use ${names}`);
}

function describeBenches(): string {
	const width = Math.max(...Object.keys(benches).map((name) => name.length));
	const lines = Object.entries(benches).map(([name, { summary }]) => `  ${name.padEnd(width)}   ${summary}`);
	return [
		`npm run bench -- NAME: measure this project on this machine, as a table or with --json; ${DEFAULT_BENCH} without a name`,
		"",
		...lines,
		"",
		"`npm run bench -- NAME --help` lists its flags.",
		"",
	].join("\n");
}

process.exitCode = await reportExpected("bench", () => run(process.argv.slice(2)));
