/** Errors that the user can mend are one line, not a stack trace. */
import { CwlError } from "#pi";

/** Run a command. An expected error becomes one line on stderr, after the program's name, and exit code 2. */
export async function reportExpected<Code extends number | undefined>(
	program: string,
	command: () => Promise<Code>,
): Promise<Code | 2> {
	try {
		return await command();
	} catch (error) {
		if (!isExpected(error)) throw error;
		process.stderr.write(`${program}: ${error.message}\n`);
		return 2;
	}
}

/** Returns true for our own errors and for those of `node:util` about arguments. */
function isExpected(error: unknown): error is Error {
	if (error instanceof CwlError) return true;
	return error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
}
