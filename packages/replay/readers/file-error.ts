import { CwlError } from "#pi";

/** The system's error for a path, with the remedy. Throws any other error again. */
export function fileError(path: string, error: unknown): CwlError {
	if (error instanceof CwlError) return error;
	const code = error instanceof Error && "code" in error ? error.code : undefined;
	if (typeof code !== "string") throw error;
	if (code === "ENOENT") {
		return new CwlError("not-found", `${path}: there is no such file or folder; check the path.`);
	}
	const remedy = code === "EACCES" || code === "EPERM" ? "make it readable or leave it out" : "leave it out";
	return new CwlError("not-readable", `${path}: cannot be read (${code}); ${remedy}.`);
}
