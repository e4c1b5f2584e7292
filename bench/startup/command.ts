/** `npm run bench -- startup`: the time that the extension adds to a run of pi that ends after one answer. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { CwlError } from "#pi";
import { markdownTable } from "#replay/report";
import { echo } from "#testing";
import { writeAgentDirectory } from "#testing/pi-driver";
import { startLoopback } from "#testing/server";
import { count, defineBench, forEachStep, inNewFolder, median } from "../bench.ts";
import { EXTENSION, NODE, PROGRAM, PROJECT } from "../pi-host.ts";
import { describeDay, describeMachine, today } from "../surroundings.ts";

const OLDEST = fileURLToPath(new URL("./cli.js", import.meta.resolve("@mariozechner/pi-coding-agent")));
const WAYS = ["alone", "clone", "package"] as const;

type Way = (typeof WAYS)[number];

interface Figures extends Readonly<Record<Way, number>> {
	/** The version of pi. Its time alone is in ms from start to end, in the median; the others are the median of what they add in the same round. */
	readonly pi: string;
}

export const bench = defineBench({
	flags: { rounds: count("7", "runs of each kind, in turns") },
	notes: 'CWL_LANE=\'["NODE","PROGRAM"]\' names a newer pi to measure as well; .ci/lanes installs them.',
	run: ({ values: { rounds }, signal }) =>
		inNewFolder(async (folder) => {
			const extension = join(await installPackage(folder), "extensions", "cwl", "index.js");
			const ways = { alone: [], clone: ["-e", EXTENSION], package: ["-e", extension] };
			const hosts = new Map([[OLDEST, process.execPath]]).set(PROGRAM, NODE);
			const figures: Figures[] = [];
			for (const [program, node] of hosts) {
				if (signal.aborted) break;
				figures.push(await measureHost(node, program, ways, { folder, rounds, signal }));
			}
			const rows = figures.map(({ pi, ...ms }) => [pi, ...WAYS.map((way) => `${Math.round(ms[way])} ms`)]);
			return {
				figures: { version: 1, date: today(), rounds, hosts: figures },
				lines: () => [
					`${describeDay(describeMachine())} and that of the newer pi; medians of ${rounds} rounds`,
					...markdownTable([["pi", "alone", "more with the clone", "with the package"], ...rows]),
				],
			};
		}),
});

/** As `pi install` does it: the packed package and its dependencies, without another pi. Returns its folder. */
async function installPackage(folder: string): Promise<string> {
	const run = (program: string, ...args: readonly string[]) =>
		execFileSync(program, args, { cwd: PROJECT, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
	const file = run("npm", "pack", "--silent", "--pack-destination", folder).trim().split("\n").at(-1) ?? "";
	run("tar", "-xzf", join(folder, file), "-C", folder);
	const { dependencies } = JSON.parse(await readFile(join(PROJECT, "package.json"), "utf8"));
	for (const name of Object.keys(dependencies)) {
		const link = join(folder, "node_modules", name);
		await mkdir(dirname(link), { recursive: true });
		await symlink(join(PROJECT, "node_modules", name), link);
	}
	return join(folder, "package");
}

async function measureHost(
	node: string,
	program: string,
	ways: Readonly<Record<Way, readonly string[]>>,
	{ folder, rounds, signal }: Readonly<{ folder: string; rounds: number; signal: AbortSignal }>,
): Promise<Figures> {
	// Version 0.73.1 prints it on stderr.
	const { stdout, stderr } = spawnSync(node, [program, "--version"], { encoding: "utf8" });
	const pi = (stdout || stderr).trim();
	const [agent, cwd] = [join(folder, "agent"), join(folder, "work")];
	execFileSync("git", ["init", "--quiet", cwd]);
	const server = await startLoopback({ model: echo });
	await writeAgentDirectory(agent, { url: server.url, api: "anthropic" });
	const env = { ...process.env, PI_CODING_AGENT_DIR: agent, PI_OFFLINE: "1" };
	const time = async (way: Way) => {
		const begun = performance.now();
		const args = [program, ...ways[way], "--no-session", "-p", "hello"];
		const child = spawn(node, args, { cwd, env, stdio: ["ignore", "ignore", "pipe"] });
		const [[code], complaint] = await Promise.all([once(child, "close"), text(child.stderr)]);
		if (code === 0) return performance.now() - begun;
		throw new CwlError("no-answer", `pi ${pi} ${way} ended with ${code}: ${complaint}`);
	};
	const times: Readonly<Record<Way, number>>[] = [];
	// The first round fills the caches of disk and compiler.
	const steps = Array.from({ length: rounds + 1 });
	await forEachStep(steps, `rounds of pi ${pi}`, signal, async (_, round) => {
		const taken = { alone: 0, clone: 0, package: 0 };
		for (const at of WAYS.keys()) {
			const way = WAYS[(round + at) % WAYS.length] ?? "alone";
			taken[way] = await time(way);
		}
		if (round > 0) times.push(taken);
	}).finally(() => server.close());
	const added = (way: "clone" | "package") => median(times.map((taken) => taken[way] - taken.alone));
	const alone = median(times.map((taken) => taken.alone));
	return { pi, alone, clone: added("clone"), package: added("package") };
}
