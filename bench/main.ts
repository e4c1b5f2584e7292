/** `npm run bench -- NAME`: measures or tests this project, one entry of the table below a bench. */
import { CwlError } from "#pi";
import { reportExpected } from "../packages/cli/command-line.ts";
import type { Bench } from "./bench.ts";

/** Each is `command.ts` of its folder, which is imported at its use, because it may load much. */
const summaries: Readonly<Record<string, string>> = {
	"single-session":
		"many tasks in one session, each verified in the repository, under one policy and another",
	commits: "a chain of commits of a real repository, made again in one session under each policy",
	live: "the registered protocol with a real model: all arms in turns, within a cost, resumable",
	sessions: "fetches the recorded sessions of the tables from their public repositories",
	micro: "the time that cwl adds to a request by session length",
	pictures: "the pictures of README and docs, from a session file of pi",
	tables: "makes kept figures again, and from them the tables of README and results and docs/claims.md",
	chance:
		"how often an output of recorded sessions is needed again, by the engine's chance, and the odds that fit it",
	fuzz: "random sessions; every rule of the design is checked after each operation",
	kill: "the real pi, killed at random moments, resumed, and its session checked",
	strict: "recorded sessions under each policy; every request is judged by the rules of four providers",
};

/**
 * Runs one bench and returns its exit code.
 * @throws CwlError `no-bench` when the name is unknown
 */
async function run(argv: readonly string[]): Promise<number> {
	const [name = "help", ...rest] = argv;
	if (name === "help" || name === "--help" || name === "-h") {
		process.stdout.write(describeBenches());
		return 0;
	}
	if (!Object.hasOwn(summaries, name)) {
		const names = Object.keys(summaries).join(", ");
		throw new CwlError("no-bench", `there is no bench ${JSON.stringify(name)}: use ${names}`);
	}
	const { bench }: { readonly bench: Bench } = await import(`./${name}/command.ts`);
	return bench(rest, name, summaries[name] ?? "");
}

function describeBenches(): string {
	const width = Math.max(...Object.keys(summaries).map((name) => name.length));
	const lines = Object.entries(summaries).map(([name, summary]) => `  ${name.padEnd(width)}   ${summary}`);
	return [
		`npm run bench -- NAME: measure this project on this machine, as a table or with --json`,
		"",
		...lines,
		"",
		"`npm run bench -- NAME --help` lists its flags.",
		"",
	].join("\n");
}

process.exitCode = await reportExpected("bench", () => run(process.argv.slice(2)));
