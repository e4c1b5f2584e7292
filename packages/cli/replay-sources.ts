/** The sessions that `cwl replay` takes without a path: those of the agents on this machine, after the user agrees. */
import { createInterface } from "node:readline/promises";
import { CwlError } from "#pi";
import { type FoundFolder, findUsualFolders, listUsualFolders } from "#replay";

/**
 * Lists the folders with sessions on stderr, and returns those to replay: all of them with `all`, otherwise those that
 * the user chooses.
 * @throws CwlError `no-path` when nothing was found or chosen, or there is nobody to ask
 */
export async function chooseFolders(all: boolean): Promise<readonly string[]> {
	const usual = listUsualFolders(process.env);
	const found = await findUsualFolders(usual);
	if (found.length === 0) {
		const looked = usual.map(({ path }) => path).join(", ");
		throw new CwlError(
			"no-path",
			`no agent's sessions in the usual places (${looked}): name files or folders.`,
		);
	}
	if (!all && !(process.stdin.isTTY && process.stderr.isTTY)) {
		const listed = found.map(({ agent, path, sessions }) => `${agent} ${path} (${sessions})`).join(", ");
		throw new CwlError(
			"no-path",
			`replay needs session files or folders; found on this machine: ${listed}. Name some, or give --all.`,
		);
	}
	process.stderr.write(describeFolders(found));
	if (all) return found.map(({ path }) => path);
	return await ask(found);
}

/** A line for each folder, numbered from 1. */
export function describeFolders(found: readonly FoundFolder[]): string {
	const rows = found.map(({ agent, path, sessions, bytes }, i) => {
		const size = `${(bytes / 1e6).toFixed(1)} MB`;
		return `${String(i + 1).padStart(3)}  ${agent.padEnd(14)} ${String(sessions).padStart(6)} session${sessions === 1 ? " " : "s"} ${size.padStart(10)}  ${path}\n`;
	});
	return `Sessions on this machine:\n${rows.join("")}`;
}

async function ask(found: readonly FoundFolder[]): Promise<readonly string[]> {
	const terminal = createInterface({ input: process.stdin, output: process.stderr });
	try {
		for (;;) {
			const answer = await terminal.question("Replay which? Numbers, Enter for all, q for none: ");
			const chosen = readChoice(answer, found.length);
			if (chosen === "none") throw new CwlError("no-path", "nothing was chosen to replay.");
			if (chosen !== "unclear") return chosen.flatMap((i) => found[i]?.path ?? []);
		}
	} finally {
		terminal.close();
	}
}

/** The chosen positions in the list, from 0; an empty answer chooses all. */
export function readChoice(answer: string, count: number): readonly number[] | "none" | "unclear" {
	const words = answer.split(/[\s,]+/).filter((word) => word !== "");
	if (words.length === 0) return Array.from({ length: count }, (_, i) => i);
	if (words.length === 1 && /^(q|n|no|none)$/i.test(answer.trim())) return "none";
	const places = words.map((word) => (/^\d+$/.test(word) ? Number(word) - 1 : -1));
	return places.every((place) => place >= 0 && place < count) ? [...new Set(places)] : "unclear";
}
