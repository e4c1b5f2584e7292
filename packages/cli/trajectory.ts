/** `cwl report FILE --trajectory`: prints a pi session as a trajectory in Harbor's format. */

import { CwlError } from "#pi";
import { type Fields, fileError, makeTrajectory, parseFields, readLines } from "#replay";
import { ownVersion, readCommand } from "./command-line.ts";

const usage = `cwl report FILE --trajectory: a pi session as a trajectory in Harbor's format (ATIF v1.4), on stdout

  --skip 0    leave out the first lines of the file, which belong to earlier tasks
`;

/** Returns 0. @throws CwlError for wrong arguments, and for a file that cannot be read or is no session */
export async function runTrajectory(argv: readonly string[]): Promise<number> {
	const read = readCommand(argv, usage, { skip: { type: "string", default: "0" } }, true);
	if (!read) return 0;
	const { values, positionals } = read;
	const [path, ...more] = positionals;
	if (path === undefined || more.length > 0) {
		throw new CwlError("bad-argument", `${positionals.length} files were named: name one session.`);
	}
	const skip = Number(values.skip);
	if (!Number.isInteger(skip) || skip < 0) {
		throw new CwlError("bad-flag", `--skip is ${JSON.stringify(values.skip)}: use a number of lines.`);
	}
	const entries = await readEntries(path);
	if (!entries.some(({ type }) => type === "session")) {
		throw new CwlError(
			"no-session",
			`${path} has no header of a pi session: name a file of pi's sessions folder.`,
		);
	}
	process.stdout.write(`${JSON.stringify(makeTrajectory(entries, ownVersion(), skip))}\n`);
	return 0;
}

/** The entries, one for each line. A line that is no entry, such as a truncated one, becomes an empty entry. */
async function readEntries(path: string): Promise<readonly Fields[]> {
	const entries: Fields[] = [];
	try {
		for await (const { text } of readLines(path)) entries.push((text && parseFields(text)) || {});
	} catch (error) {
		throw fileError(path, error);
	}
	return entries;
}
