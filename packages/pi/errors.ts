import { CwlError } from "#basics";

export { CwlError };

/** An expected failure that only a person reads: the message says what was found, what is allowed, and what to do. */
export function refusal(message: string): CwlError {
	return new CwlError("refused", message);
}

/** One line about a fault of ours: its message, and the first place of its stack. */
export function describeFault(fault: unknown): string {
	if (!(fault instanceof Error)) return String(fault);
	const place = /^ +(at .+)$/m.exec(fault.stack ?? "")?.[1];
	return [`${fault}`.split("\n", 1), place ?? []].flat().join(" ");
}

/** The text of anything that was thrown. */
export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
