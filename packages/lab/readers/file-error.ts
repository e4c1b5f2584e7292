import { CwlError } from "#pi";

/** What the system said about a path, with the remedy; anything that is no system error is thrown on. */
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
