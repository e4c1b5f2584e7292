/** `cwl replay`: replays recorded sessions through the engine and prints a table or JSON. */

import { writeFile } from "node:fs/promises";
import { arch, availableParallelism, platform } from "node:os";
import { countOf } from "#basics";
import { CwlError, messageOf } from "#pi";
import { formatPage } from "#replay/pages";
import { type FoundFolder, findUsualFolders, listUsualFolders } from "#replay/readers";
import { createReport, formatReport } from "#replay/report";
import { createLocalRunner, createThreadRunner, openReplay, type Progress, runReplays } from "#replay/run";
import { jsonText, ownVersion, untilInterrupted } from "./command-line.ts";
import { createProgress } from "./progress.ts";
import { readFlags } from "./replay-flags.ts";

/**
 * Runs the command. Returns 0, 1 when something could not be replayed or a rule was broken, 130 when interrupted;
 * throws a `CwlError` for wrong arguments.
 */
export async function runReplay(argv: readonly string[]): Promise<number> {
	const given = readFlags(argv);
	if (!given) return 0;
	const { settings, jobs } = given;
	const paths = given.paths.length > 0 ? given.paths : await findFolders(given.all);
	const setup = await openReplay(settings);
	const createRunners = (sessions: number) => {
		const threads = Math.min(jobs ?? (sessions < FEW_SESSIONS ? 1 : availableParallelism()), sessions);
		if (threads < 2) return [createLocalRunner(setup)];
		return Array.from({ length: threads }, () => createThreadRunner(settings));
	};
	let show: ReturnType<typeof createProgress> | undefined;
	const onProgress = ({ done, sessions, session }: Progress) => {
		show ??= createProgress(sessions, "sessions");
		show(done, session);
	};
	const run = await untilInterrupted((signal) =>
		runReplays({ paths, createRunners, signal, onProgress }),
	).finally(() => process.stderr.isTTY && process.stderr.write("\r\x1b[K"));
	const report = createReport(run, setup.settings);
	const { replayed, planned } = report.sessions;
	process.stdout.write(given.asJson ? jsonText(report) : formatReport(report, process.stdout.columns));
	if (given.html !== undefined) await writePage(given.html, formatPage(report, run, describeMachine()));
	const isFaulty = report.problems.length > 0 || report.policies.some(({ violations }) => violations > 0);
	if (!report.interrupted) return isFaulty ? 1 : 0;
	process.stderr.write(
		`cwl: interrupted: the figures are of ${replayed} of ${countOf(planned, "session")}.\n`,
	);
	return 130;
}

/**
 * With `all`, returns the folders with sessions and lists them on stderr.
 * @throws CwlError `no-path` that lists them otherwise, or the searched ones when none holds a session
 */
async function findFolders(all: boolean): Promise<readonly string[]> {
	const usual = listUsualFolders(process.env);
	const found = await findUsualFolders(usual);
	if (found.length === 0) {
		const searched = usual.map(({ path }) => path).join(", ");
		throw new CwlError(
			"no-path",
			`no agent's sessions in the usual places (${searched}): name files or folders, or see a sample: --sample.`,
		);
	}
	const listed = `Sessions on this machine:\n${found.map(describeFolder).join("")}`;
	if (!all) throw new CwlError("no-path", `name files or folders, or give --all. ${listed.trimEnd()}`);
	process.stderr.write(listed);
	return found.map(({ path }) => path);
}

function describeFolder({ agent, path, sessions, bytes }: FoundFolder): string {
	const size = `${(bytes / 1e6).toFixed(1)} MB`;
	const count = `${sessions} session${sessions === 1 ? " " : "s"}`;
	return `  ${agent.padEnd(14)} ${count.padStart(15)} ${size.padStart(10)}  ${path}\n`;
}

async function writePage(path: string, page: string) {
	try {
		await writeFile(path, page);
	} catch (error) {
		const reason = `the page cannot be written (${messageOf(error)})`;
		throw new CwlError("not-writable", `${path}: ${reason}; name another file.`);
	}
}

function describeMachine(): string {
	const day = new Date().toISOString().slice(0, 10);
	return `${day}, cwl ${ownVersion()}, Node ${process.versions.node}, ${platform()} ${arch()}, ${availableParallelism()} processors`;
}

/** A thread takes a second to start, so fewer sessions than this are replayed without threads. */
const FEW_SESSIONS = 16;
