/** The programs and packages that ours are compared with, where they are present. */
import { execFile, execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
/** Bytes of output. */
const MAX_OUTPUT = 2 ** 29;

/** The version that a program prints, undefined where it is not installed. */
export function programVersion(program: string): string | undefined {
	try {
		const output = execFileSync(program, ["--version"], {
			encoding: "utf8",
			stdio: ["ignore", "pipe", "ignore"],
		});
		return /\d+(\.\d+)+/.exec(output)?.[0];
	} catch {
		// Not installed, or not to be started: the bench goes on without it.
		return undefined;
	}
}

/** What a program prints; exit code 1 says that a search found nothing. */
export async function readOutput(program: string, args: readonly string[], cwd: string): Promise<string> {
	try {
		return (await run(program, args, { cwd, maxBuffer: MAX_OUTPUT })).stdout;
	} catch (error) {
		if (typeof error === "object" && error !== null && "code" in error && error.code === 1) return "";
		throw error;
	}
}

/** How many records a text holds that each end in `mark`. */
export function countRecords(text: string, mark: string): number {
	return text.split(mark).length - 1;
}

export interface Package {
	readonly version: string;
	/** Load it; the answer is what it exports. */
	readonly load: () => Promise<unknown>;
}

/** A package beside this one, or in the folder where the command runs; undefined when it is in neither. */
export function findPackage(name: string, cwd: string): Package | undefined {
	for (const from of [import.meta.url, pathToFileURL(join(cwd, "package.json")).href]) {
		try {
			const require = createRequire(from);
			const main = require.resolve(name);
			return { version: readVersion(require, main, name), load: () => import(pathToFileURL(main).href) };
		} catch {
			// Not there: the next place may have it.
		}
	}
	return undefined;
}

/** Not every package exports its manifest: it stands where the name does in the path of what it exports. */
function readVersion(require: NodeJS.Require, main: string, name: string): string {
	const end = main.lastIndexOf(join("node_modules", name)) + join("node_modules", name).length;
	const manifest: { readonly version?: string } = require(join(main.slice(0, end), "package.json"));
	return manifest.version ?? "unknown";
}
