/** Paths as tool calls give them. */
import { homedir } from "node:os";
import { isAbsolute, join, relative, resolve, sep } from "node:path";

/** The absolute path that pi's own tools take an argument for. */
export function locate(cwd: string, path: string): string {
	const bare = path.startsWith("@") ? path.slice(1) : path;
	if (bare === "~" || bare.startsWith("~/")) return join(homedir(), bare.slice(1));
	return isAbsolute(bare) ? bare : resolve(cwd, bare);
}

/** One name for a file, however a call names it: below the workspace relative to it, with `/`; else absolute. */
export function nameFile(cwd: string, path: string): string {
	const absolute = locate(cwd, path);
	const below = relative(cwd, absolute);
	const isOutside = below === "" || below === ".." || below.startsWith(`..${sep}`) || isAbsolute(below);
	return isOutside ? absolute : below.replaceAll(sep, "/");
}
