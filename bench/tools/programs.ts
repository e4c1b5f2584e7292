/** The programs and packages that our tools are compared with, as far as they are installed. */
import { execFile, execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
/** Bytes of output. */
const MAX_OUTPUT = 2 ** 29;

/** The version that a program prints; undefined if it is not installed. */
export function programVersion(program: string): string | undefined {
	try {
		const output = execFileSync(program, ["--version"], {
			encoding: "utf8",
			stdio: ["ignore", "pipe", "ignore"],
		});
		return /\d+(\.\d+)+/.exec(output)?.[0];
	} catch {
		// Not installed or not executable: the bench continues without it.
		return undefined;
	}
}

/** The output of a program. Exit code 1 means that a search found nothing. */
export async function readOutput(program: string, args: readonly string[], cwd: string): Promise<string> {
	try {
		return (await run(program, args, { cwd, maxBuffer: MAX_OUTPUT })).stdout;
	} catch (error) {
		if (typeof error === "object" && error !== null && "code" in error && error.code === 1) return "";
		throw error;
	}
}

/** The number of records in a text; each ends in `mark`. */
export function countRecords(text: string, mark: string): number {
	return text.split(mark).length - 1;
}

export interface Package {
	readonly version: string;
	/** Loads the package and returns its exports. */
	readonly load: () => Promise<unknown>;
}

/** A package next to this one or in the folder where the command runs; undefined if it is in neither. */
export function findPackage(name: string, cwd: string): Package | undefined {
	for (const from of [import.meta.url, pathToFileURL(join(cwd, "package.json")).href]) {
		try {
			const require = createRequire(from);
			const main = require.resolve(name);
			return { version: readVersion(require, main, name), load: () => import(pathToFileURL(main).href) };
		} catch {
			// Try the next place.
		}
	}
	return undefined;
}

/** Reads the manifest from the package folder, because not every package exports it. */
function readVersion(require: NodeJS.Require, main: string, name: string): string {
	const end = main.lastIndexOf(join("node_modules", name)) + join("node_modules", name).length;
	const manifest: { readonly version?: string } = require(join(main.slice(0, end), "package.json"));
	return manifest.version ?? "unknown";
}
