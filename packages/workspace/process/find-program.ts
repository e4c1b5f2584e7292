import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

/**
 * Returns the absolute path of a program on the PATH, or undefined. A relative entry of PATH is skipped, and Windows'
 * own search of the current directory is avoided: both could run a program of the workspace.
 */
export function findProgram(name: string): string | undefined {
	if (isAbsolute(name)) return isExecutable(name) ? name : undefined;
	const file = process.platform === "win32" ? `${name}.exe` : name;
	return absoluteDirectories(process.env.PATH ?? "")
		.map((directory) => join(directory, file))
		.find(isExecutable);
}

/** The PATH without its relative entries. */
export function absolutePath(path: string): string {
	return absoluteDirectories(path).join(delimiter);
}

function absoluteDirectories(path: string): readonly string[] {
	return path.split(delimiter).filter((directory) => isAbsolute(directory));
}

function isExecutable(file: string): boolean {
	try {
		accessSync(file, constants.X_OK);
		return statSync(file).isFile();
	} catch {
		return false;
	}
}
