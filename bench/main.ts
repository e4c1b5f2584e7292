/** `npm run bench -- NAME`: measures or tests this project, one entry of the table below a bench. */
import { CwlError } from "#pi";
import { reportExpected } from "../packages/cli/command-line.ts";
import type { Bench } from "./bench.ts";

const DEFAULT_BENCH = "micro";

/** A bench is imported at its use, because it may load much. */
type Entry = { readonly summary: string; readonly load: () => Promise<{ readonly bench: Bench }> };
const benches: Readonly<Record<string, Entry>> = {
	"single-session": {
		summary: "many tasks in one session, each verified in the repository, under one policy and another",
		load: () => import("./single-session/command.ts"),
	},
	commits: {
		summary: "a chain of commits of a real repository, made again in one session under each policy",
		load: () => import("./commits/command.ts"),
	},
	live: {
		summary: "the registered protocol with a real model: all arms in turns, within a cost, resumable",
		load: () => import("./live/command.ts"),
	},
	search: {
		summary: "tokens to answer questions about real source code: whole files, shell grep, and cwl's tools",
		load: () => import("./search/command.ts"),
	},
	micro: {
		summary: "the time that cwl adds to a request by session length, and of glob, grep and git status",
		load: () => import("./micro/command.ts"),
	},
	startup: {
		summary: "the time that the extension adds to the start of pi, from a clone and from the package",
		load: () => import("./startup/command.ts"),
	},
	tables: {
		summary: "makes kept figures again, and from them the tables of README and results and docs/claims.md",
		load: () => import("./tables/command.ts"),
	},
	fuzz: {
		summary: "random sessions; every rule of the design is checked after each operation",
		load: () => import("./fuzz/campaign.ts"),
	},
	kill: {
		summary: "the real pi, killed at random moments, resumed, and its session checked",
		load: () => import("./kill/command.ts"),
	},
	strict: {
		summary: "recorded sessions under each policy; every request is judged by the rules of four providers",
		load: () => import("./strict/command.ts"),
	},
};

/**
 * Runs one bench and returns its exit code.
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
	if (!entry) {
		const names = Object.keys(benches).join(", ");
		throw new CwlError("no-bench", `there is no bench ${JSON.stringify(name)}: use ${names}`);
	}
	const { bench } = await entry.load();
	if (!rest.includes("--help") && !rest.includes("-h")) return bench.run(rest);
	const usage = [`npm run bench -- ${name}`, bench.positionals].filter((word) => word !== "").join(" ");
	process.stdout.write(`${usage}: ${entry.summary}\n\n${bench.help}`);
	return 0;
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
