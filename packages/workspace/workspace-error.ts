export type WorkspaceErrorCode =
	| "bad-pattern"
	| "bad-argument"
	| "not-found"
	| "not-a-directory"
	| "not-a-file"
	| "not-readable"
	| "outside"
	| "too-costly"
	| "too-large"
	| "failed"
	| "aborted";

/** A request that the tools refuse. The message says what was found, what is allowed and what to do. */
export class WorkspaceError extends Error {
	readonly code: WorkspaceErrorCode;

	constructor(code: WorkspaceErrorCode, message: string) {
		super(message);
		this.name = "WorkspaceError";
		this.code = code;
	}
}

/** Throws the `aborted` error once the signal has fired, so that long loops stop between two steps. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
	if (signal?.aborted) throw abortedError();
}

export function abortedError(): WorkspaceError {
	return new WorkspaceError("aborted", "Cancelled.");
}

/** The `code` of a system error ("ENOENT"), or undefined. An error of vm's is not an instance of this realm's Error. */
export function errorCode(error: unknown): string | undefined {
	if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
	return typeof error.code === "string" ? error.code : undefined;
}
