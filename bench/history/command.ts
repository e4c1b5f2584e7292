/** `npm run bench -- history`: runs a generated history of any size through `cwl replay` and measures its peak memory. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { CwlError } from "#pi";
import { writeHistory } from "./write-history.ts";

export const help = `npm run bench -- history: a generated history through cwl replay, and its peak memory

  --size 64          MB of session files
  --session-size 2   MB of each
  --heap 512         MB that the heap of the replay may have: past it the replay dies
  --jobs 1           threads of the replay
  --policy cwl       policies
  --json             {sizeMb, sessions, replayed, tokensProcessed, heapLimitMb, jobs, seconds, peakRssMb}
`;

const flags = {
	size: { type: "string", default: "64" },
	"session-size": { type: "string", default: "2" },
	heap: { type: "string", default: "512" },
	jobs: { type: "string", default: "1" },
	policy: { type: "string", default: "cwl" },
	json: { type: "boolean", default: false },
} as const;

/** Returns 0, or the exit code of a replay that failed. Throws a `CwlError` for an invalid value. */
export async function run(argv: readonly string[]): Promise<number> {
	const { values } = parseArgs({ args: [...argv], options: flags });
	const sizeMb = readNumber("size", values.size);
	const heapLimitMb = readNumber("heap", values.heap);
	const jobs = readNumber("jobs", values.jobs);
	const sessionBytes = readNumber("session-size", values["session-size"]) * 1e6;
	const folder = await mkdtemp(join(tmpdir(), "cwl-history-"));
	try {
		const sessions = await writeHistory(folder, { bytes: sizeMb * 1e6, sessionBytes });
		const args = ["replay", folder, "--policy", values.policy, "--jobs", String(jobs), "--json"];
		const { code, report, seconds, peakRssMb } = await runProgram(args, heapLimitMb);
		if (code !== 0) return code;
		const figures = { sizeMb, sessions, ...readReport(report), heapLimitMb, jobs, seconds, peakRssMb };
		process.stdout.write(values.json ? `${JSON.stringify(figures)}\n` : format(figures));
		return 0;
	} finally {
		await rm(folder, { recursive: true });
	}
}

function readNumber(flag: string, text: string): number {
	const number = Number(text);
	if (Number.isFinite(number) && number > 0) return number;
	throw new CwlError(`bad-${flag}`, `${flag} is ${JSON.stringify(text)}: use a number above 0.`);
}

interface Outcome {
	readonly code: number;
	readonly report: string;
	readonly seconds: number;
	readonly peakRssMb: number;
}

/** The process reports its own peak at its end, because no other process knows it on every system. */
const PRELOAD = `data:text/javascript,process.on("exit",()=>process.send(process.resourceUsage().maxRSS))`;

async function runProgram(args: readonly string[], heapMb: number): Promise<Outcome> {
	const program = fileURLToPath(new URL("../../packages/cli/bin.mjs", import.meta.url));
	const begun = performance.now();
	const child = spawn(
		process.execPath,
		[`--max-old-space-size=${heapMb}`, "--import", PRELOAD, program, ...args],
		{
			stdio: ["ignore", "pipe", "inherit", "ipc"],
		},
	);
	let [report, peakKb] = ["", 0];
	child.stdout?.setEncoding("utf8").on("data", (text: string) => {
		report += text;
	});
	child.on("message", (kb) => {
		peakKb = Number(kb);
	});
	const [code] = await once(child, "close");
	const seconds = Math.round((performance.now() - begun) / 100) / 10;
	return { code: typeof code === "number" ? code : 1, report, seconds, peakRssMb: Math.round(peakKb / 1024) };
}

interface Replayed {
	readonly replayed: number;
	readonly tokensProcessed: number;
}

function readReport(text: string): Replayed {
	const report: { sessions: { replayed: number }; policies: { tokensProcessed: number }[] } =
		JSON.parse(text);
	const tokensProcessed = report.policies.reduce((sum, policy) => sum + policy.tokensProcessed, 0);
	return { replayed: report.sessions.replayed, tokensProcessed };
}

function format(figures: Readonly<Record<string, number>>): string {
	return `${Object.entries(figures)
		.map(([name, figure]) => `${name.padEnd(16)} ${figure}`)
		.join("\n")}\n`;
}
