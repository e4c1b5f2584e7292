/** `npm run bench -- startup`: the time that the extension adds to a run of pi that ends after one answer. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { echo } from "#loopback";
import { writeAgentDirectory } from "#loopback/pi-driver";
import { startLoopback } from "#loopback/server";
import { CwlError } from "#pi";
import { markdownTable } from "#replay/report";
import { defineBench, forEachStep, median, readCount } from "../bench.ts";
import { EXTENSION, NODE, PROGRAM, PROJECT } from "../pi-host.ts";
import { describeMachine, today } from "../surroundings.ts";

const names = ["alone", "clone", "package"] as const;
type Way = (typeof names)[number];
const OLDEST = fileURLToPath(new URL("./cli.js", import.meta.resolve("@mariozechner/pi-coding-agent")));

interface Host {
	readonly version: string;
	readonly command: readonly [node: string, program: string];
}

interface Figures {
	readonly pi: string;
	/** Milliseconds from start to end, in the median. */
	readonly alone: number;
	/** Milliseconds more than pi alone in the same round, in the median. */
	readonly clone: number;
	readonly package: number;
}

export const bench = defineBench({
	flags: { rounds: { type: "string", default: "7", about: "runs of each kind, in turns" } },
	notes: 'CWL_LANE=\'["NODE","PROGRAM"]\' names a newer pi to measure as well; .ci/lanes installs them.',
	async run({ values, signal }) {
		const rounds = readCount("rounds", values.rounds);
		const hosts = [
			...new Map([
				[OLDEST, process.execPath],
				[PROGRAM, NODE],
			]),
		].map(describeHost);
		const figures: Figures[] = [];
		for (const host of hosts) if (!signal.aborted) figures.push(await measureHost(host, rounds, signal));
		const { cpu, cores, node } = describeMachine();
		const rows = figures.map(({ pi, ...times }) => [pi, ...names.map((name) => showTime(name, times[name]))]);
		const text = () =>
			[
				`${today()}; ${cpu}, ${cores} cores, Node ${node} and that of the newer pi; medians of ${rounds} rounds`,
				...markdownTable([["pi", "alone", "with the clone", "with the package"], ...rows]),
				"",
			].join("\n");
		return { figures: { version: 1, date: today(), rounds, hosts: figures }, text };
	},
});

const showTime = (name: Way, ms: number) => `${name === "alone" ? "" : "+"}${Math.round(ms)} ms`;

function describeHost([program, node]: readonly [program: string, node: string]): Host {
	// Version 0.73.1 prints it on stderr.
	const { stdout, stderr } = spawnSync(node, [program, "--version"], { encoding: "utf8" });
	return { version: (stdout || stderr).trim(), command: [node, program] };
}

/** As `pi install` does it: the packed package and its dependencies, without another pi. Returns its folder. */
async function installPackage(directory: string): Promise<string> {
	const run = (program: string, ...args: readonly string[]) =>
		execFileSync(program, args, { cwd: PROJECT, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
	const file =
		run("npm", "pack", "--silent", "--pack-destination", directory).trim().split("\n").at(-1) ?? "";
	run("tar", "-xzf", join(directory, file), "-C", directory);
	const { dependencies } = JSON.parse(await readFile(join(PROJECT, "package.json"), "utf8"));
	for (const name of Object.keys(dependencies)) {
		const link = join(directory, "node_modules", name);
		await mkdir(dirname(link), { recursive: true });
		await symlink(join(PROJECT, "node_modules", name), link);
	}
	return join(directory, "package");
}

async function measureHost(
	{ version, command }: Host,
	rounds: number,
	signal: AbortSignal,
): Promise<Figures> {
	const directory = await mkdtemp(join(tmpdir(), "cwl-startup-"));
	const server = await startLoopback({ model: echo });
	const ways: Readonly<Record<Way, readonly string[]>> = {
		alone: [],
		clone: ["-e", EXTENSION],
		package: ["-e", join(await installPackage(directory), "extensions", "cwl", "index.js")],
	};
	const [agent, work] = [join(directory, "agent"), join(directory, "work")];
	const times: Record<Way, number>[] = [];
	try {
		await mkdir(work);
		execFileSync("git", ["init", "--quiet", work]);
		await writeAgentDirectory(agent, { url: server.url, api: "anthropic" });
		const env = { ...process.env, PI_CODING_AGENT_DIR: agent, PI_OFFLINE: "1" };
		const time = async (way: Way) => {
			const [node, ...args] = [...command, ...ways[way], "--no-session", "-p", "hello"];
			const begun = performance.now();
			const child = spawn(node, args, { cwd: work, env, stdio: ["ignore", "ignore", "pipe"] });
			let complaint = "";
			child.stderr.on("data", (chunk) => (complaint += chunk));
			const [code] = await once(child, "close");
			if (code !== 0)
				throw new CwlError("no-answer", `pi ${version} ${way} ended with ${code}: ${complaint}`);
			return performance.now() - begun;
		};
		// The first run of each fills the caches of disk and compiler.
		await forEachStep(
			Array.from({ length: rounds + 1 }),
			`rounds of pi ${version}`,
			signal,
			async (_, round) => {
				const taken = { alone: 0, clone: 0, package: 0 };
				for (let at = 0; at < names.length; at++) {
					const way = names[(round + at) % names.length] ?? "alone";
					taken[way] = await time(way);
				}
				if (round > 0) times.push(taken);
				return undefined;
			},
		);
	} finally {
		await server.close();
		await rm(directory, { recursive: true, force: true });
	}
	const added = (way: Way) => median(times.map((taken) => taken[way] - taken.alone));
	const alone = median(times.map((taken) => taken.alone));
	return { pi: version, alone, clone: added("clone"), package: added("package") };
}
