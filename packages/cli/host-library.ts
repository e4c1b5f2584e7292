/** The library of the pi that `cwl` runs. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { SessionManager } from "@mariozechner/pi-coding-agent";
import { CwlError, type SessionParser } from "#pi";
import { chooseHost, type PiHost } from "./host-finder.ts";

/** The exports of pi that cwl uses. */
export interface HostLibrary extends SessionParser {
	readonly SessionManager: typeof SessionManager;
	/** Absent in later versions, as is the registry's `create`. */
	readonly AuthStorage?: { create(): unknown };
	readonly ModelRegistry?: { create?(auth: unknown): { getAvailable(): readonly unknown[] } };
}

/**
 * Load it, which takes a second or two. Every version has it in the folder of its program.
 * @throws CwlError `no-host` when no pi was found, or when it has no library
 */
export async function loadHost(host: PiHost = chooseHost()): Promise<HostLibrary> {
	const entry = join(dirname(host.program), "index.js");
	if (existsSync(entry)) return await import(pathToFileURL(entry).href);
	throw new CwlError(
		"no-host",
		`${host.name} ${host.version} in ${host.directory} has no ${entry}: install it again.`,
	);
}
