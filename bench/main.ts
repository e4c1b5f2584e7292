/** `npm run bench -- NAME`: measures this project, one file of the table below a measurement. */
import { CwlError } from "#pi";
import { reportExpected } from "../packages/cli/expected-error.ts";

interface Bench {
	/** Its flags, which `--help` prints. */
	readonly help: string;
	/** Takes the arguments after its name; returns the exit code. */
	readonly run: (argv: readonly string[]) => Promise<number>;
}

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
		load: () => import("./single-session/command.ts"),
	},
	claims: {
		summary: "every testable claim of the paper and the other sources, with our figure and a verdict",
		load: () => import("./claims/command.ts"),
	},
	commits: {
		summary: "a chain of commits of a real repository, made again in one session under each policy",
		load: () => import("./commits/command.ts"),
	},
	micro: {
		summary: "the time that cwl adds to a request, in sessions of up to 10,000 messages",
		load: () => import("./micro/command.ts"),
	},
	search: {
		summary: "tokens to answer questions about code: whole files, shell grep, and cwl's tools",
		load: () => import("./search/command.ts"),
	},
	tools: {
		summary: "glob, grep and git status compared with the programs that do the same",
		load: () => import("./tools/run.ts"),
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
	if (entry) {
		const bench = await entry.load();
		if (!rest.includes("--help") && !rest.includes("-h")) return bench.run(rest);
		process.stdout.write(bench.help);
		return 0;
	}
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
