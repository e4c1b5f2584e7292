/** Finds the session that a command means, as pi's own `--session` does. */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { SessionManager } from "@mariozechner/pi-coding-agent";
import { CwlError, type SessionParser } from "#pi";
import { chooseHost } from "./host-finder.ts";

/** What we use of pi's exports; every host has them. */
export interface SessionExports extends SessionParser {
	readonly SessionManager: typeof SessionManager;
}

/** The library of the pi that `cwl` runs. Loads pi, which takes a second or two. */
export async function loadHost(): Promise<SessionExports> {
	const { directory } = chooseHost();
	const manifest: { exports?: { "."?: { import?: string } }; main?: string } = JSON.parse(
		readFileSync(join(directory, "package.json"), "utf8"),
	);
	const entry = manifest.exports?.["."]?.import ?? manifest.main ?? "dist/index.js";
	return await import(pathToFileURL(join(directory, entry)).href);
}

/**
 * The file of the session named: by path, by the beginning of its id (those of this folder first), or without a name
 * the latest of this folder.
 * @throws CwlError `no-session` naming what was looked for
 */
export async function findSession(
	named: string | undefined,
	{ SessionManager }: SessionExports,
): Promise<string> {
	if (named !== undefined && (named.includes("/") || named.endsWith(".jsonl"))) {
		if (existsSync(named)) return resolve(named);
		throw new CwlError("no-session", `there is no session file ${named}.`);
	}
	const here = await SessionManager.list(process.cwd());
	if (named === undefined) {
		const latest = here.toSorted((a, b) => b.modified.getTime() - a.modified.getTime())[0];
		if (latest) return latest.path;
		throw new CwlError("no-session", "this folder has no session yet: name one by its file or id.");
	}
	const isMeant = ({ id }: { readonly id: string }) => id.startsWith(named);
	const found = here.find(isMeant) ?? (await SessionManager.listAll()).find(isMeant);
	if (found) return found.path;
	const known = here.slice(0, 3).map(({ id }) => id);
	const hint = known.length > 0 ? `this folder has ${known.join(", ")}` : "this folder has none";
	throw new CwlError(
		"no-session",
		`no session has an id that begins with ${JSON.stringify(named)}; ${hint}.`,
	);
}
