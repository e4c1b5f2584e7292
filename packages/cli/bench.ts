/** `cwl bench NAME`: measures this project, one file of the table below a measurement. */
import { CwlError } from "#pi";

/** Takes the arguments after its name; answers the exit code. `--help` prints its flags. */
type Bench = (argv: readonly string[]) => Promise<number>;

interface Entry {
	/** One line of `cwl bench help`. */
	readonly summary: string;
	/** Imported at its use: a bench may load much. */
	readonly load: () => Promise<Bench>;
}

const benches: Readonly<Record<string, Entry>> = {
	"single-session": {
		summary: "many tasks in one session through the real pi, under one policy and another",
		load: async () => (await import("../../bench/single-session/command.ts")).runSingleSessionBench,
	},
	trajectory: {
		summary: "a pi session as a trajectory in Harbor's format",
		load: async () => (await import("../../bench/harbor/command.ts")).runTrajectory,
	},
	history: {
		summary: "a generated history of any size through cwl replay, and its peak memory",
		load: async () => (await import("../../bench/history/command.ts")).runHistoryBench,
	},
	micro: {
		summary: "what is added to a request of sessions of up to 10,000 messages",
		load: async () => (await import("../../bench/micro/command.ts")).runMicroBench,
	},
	prompt: {
		summary: "what system prompt and tools cost on the wire of each API, beside pi's own and others",
		load: async () => (await import("../../bench/fixed-cost/command.ts")).runPromptBench,
	},
	search: {
		summary: "tokens to answer questions about code: whole files, shell grep, and our tools",
		load: async () => (await import("../../bench/search/command.ts")).runSearchBench,
	},
	startup: {
		summary: "what the extension adds to the start of pi",
		load: async () => (await import("../../bench/startup.ts")).runStartupBench,
	},
	tools: {
		summary: "glob, grep and git status beside the programs that do the same",
		load: async () => (await import("../../bench/tools/run.ts")).runToolsBench,
	},
};

/**
 * Run one bench.
 * @throws CwlError `no-bench` when the name is missing or unknown
 */
export async function runBench(argv: readonly string[]): Promise<number> {
	const [name = "", ...rest] = argv;
	if (["help", "--help", "-h"].includes(name)) {
		process.stdout.write(describeBenches());
		return 0;
	}
	const entry = Object.hasOwn(benches, name) ? benches[name] : undefined;
	if (entry) return (await entry.load())(rest);
	const found = name === "" ? "no bench was named" : `there is no bench ${JSON.stringify(name)}`;
	throw new CwlError("no-bench", `${found}: use ${Object.keys(benches).join(", ")}`);
}

function describeBenches(): string {
	const names = Object.keys(benches);
	const width = Math.max(...names.map((name) => name.length));
	const lines = Object.entries(benches).map(([name, { summary }]) => `  ${name.padEnd(width)}   ${summary}`);
	return [
		"cwl bench NAME: measure this project on this machine, as a table or with --json",
		"",
		...lines,
		"",
		"`cwl bench NAME --help` tells more.",
		"",
	].join("\n");
}
