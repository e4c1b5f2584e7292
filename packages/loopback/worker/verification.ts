/** The checks of the tasks. They look at the files alone, and the worker never sees them. */

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { escapePattern } from "./pattern.ts";

export type Verify = (directory: string) => Promise<boolean>;

/** A file that is missing reads as an empty text: the check then fails like any other. */
async function readText(directory: string, path: string): Promise<string> {
	return readFile(join(directory, path), "utf8").catch(() => "");
}

/** Does the file define the constant exactly once, with this value? */
export function hasConstant(path: string, name: string, value: number): Verify {
	return async (directory) => {
		const text = await readText(directory, path);
		const definitions = [...text.matchAll(new RegExp(`^export const ${escapePattern(name)} = (.*);$`, "gm"))];
		return definitions.length === 1 && definitions[0]?.[1] === String(value);
	};
}

/** Does a constant of any name with this description stand in the file exactly once, with this value? */
export function hasDescribedConstant(path: string, description: string, value: number): Verify {
	return async (directory) => {
		const text = await readText(directory, path);
		const pattern = new RegExp(
			`${escapePattern(description)}(?!\\w)[^\\n]*\\nexport const \\w+ = (\\d+);`,
			"g",
		);
		const definitions = [...text.matchAll(pattern)];
		return definitions.length === 1 && definitions[0]?.[1] === String(value);
	};
}

/** Does the body of the function have this line, whatever its indentation? */
export function hasLineInFunction(path: string, name: string, line: string): Verify {
	return async (directory) => {
		const text = await readText(directory, path);
		const body = new RegExp(`function ${escapePattern(name)}\\([\\s\\S]*?\\n}`).exec(text)?.[0] ?? "";
		return body.split("\n").some((candidate) => candidate.trim() === line);
	};
}

/** Is the old name gone from src and docs, with the new one in each of the files that had the old one? */
export function isRenamed(from: string, to: string, paths: readonly string[]): Verify {
	return async (directory) => {
		const old = new RegExp(`\\b${escapePattern(from)}\\b`);
		const current = new RegExp(`\\b${escapePattern(to)}\\b`);
		const texts = await Promise.all((await listSources(directory)).map((path) => readText(directory, path)));
		if (texts.some((text) => old.test(text))) return false;
		const renamed = await Promise.all(paths.map((path) => readText(directory, path)));
		return renamed.every((text) => current.test(text));
	};
}

/** Folders are listed too; they read as empty texts. */
async function listSources(directory: string): Promise<readonly string[]> {
	const folders = ["src", "docs"].map(async (folder) => {
		const names = await readdir(join(directory, folder), { recursive: true });
		return names.map((name) => join(folder, name));
	});
	return (await Promise.all(folders)).flat();
}

/** Is the option in the config with this value, next to everything that was there? */
export function hasOption(path: string, option: string, value: number, others: readonly string[]): Verify {
	return async (directory) => {
		const config = parseObject(await readText(directory, path));
		return config.get(option) === value && others.every((name) => config.has(name));
	};
}

/** A config that does not parse has no options. */
function parseObject(text: string): ReadonlyMap<string, unknown> {
	try {
		const value: unknown = JSON.parse(text);
		return new Map(typeof value === "object" && value !== null ? Object.entries(value) : []);
	} catch {
		return new Map();
	}
}

/** Does the file have exactly this line? */
export function hasLine(path: string, line: string): Verify {
	return async (directory) => (await readText(directory, path)).split("\n").includes(line);
}

export function allOf(...checks: readonly Verify[]): Verify {
	return async (directory) => (await Promise.all(checks.map((check) => check(directory)))).every(Boolean);
}
