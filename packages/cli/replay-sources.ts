/** The sessions of the agents on this machine, which `cwl replay` lists without a path and replays with `--all`. */
import { CwlError } from "#pi";
import { type FoundFolder, findUsualFolders, listUsualFolders } from "#replay/readers";

/**
 * With `all`, returns the folders with sessions and lists them on stderr.
 * @throws CwlError `no-path` that lists them otherwise, or the searched ones when none holds a session
 */
export async function findFolders(all: boolean): Promise<readonly string[]> {
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
