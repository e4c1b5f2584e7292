/** Finds the session that the user names, as pi's own `--session` does. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { CwlError } from "#pi";
import type { HostLibrary } from "./host.ts";

/**
 * The file of a session: by path, or by the beginning of its id (sessions of this folder first). Without a name, the
 * latest session of this folder.
 * @throws CwlError `no-session` naming what was looked for
 */
export async function findSession(
	named: string | undefined,
	{ SessionManager }: Pick<HostLibrary, "SessionManager">,
): Promise<string> {
	if (named !== undefined) {
		if (existsSync(named)) return resolve(named);
		if (/[/\\.]/.test(named)) throw new CwlError("no-session", `there is no session file ${named}.`);
	}
	const here = await SessionManager.list(process.cwd());
	if (named === undefined) {
		const latest = here.toSorted((a, b) => b.modified.getTime() - a.modified.getTime())[0];
		if (latest) return latest.path;
		throw new CwlError(
			"no-session",
			"this folder has no session yet: name one by its file or the beginning of its id.",
		);
	}
	const isMeant = ({ id }: { readonly id: string }) => id.startsWith(named);
	const found = here.find(isMeant) ?? (await SessionManager.listAll()).find(isMeant);
	if (found) return found.path;
	const known = here.slice(0, 3).map(({ id }) => id);
	const hint = known.length > 0 ? `this folder has ${known.join(", ")}` : "this folder has none: name a file";
	throw new CwlError(
		"no-session",
		`no session has an id that begins with ${JSON.stringify(named)}; ${hint}.`,
	);
}
