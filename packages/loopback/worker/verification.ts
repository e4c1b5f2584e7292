/** The checks of the tasks. They read only the files, and the worker never sees them. */

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { escapePattern } from "./pattern.ts";

export type Verify = (directory: string) => Promise<boolean>;

/** A missing file reads as an empty text, so that the check fails like any other. */
async function readText(directory: string, path: string): Promise<string> {
	return readFile(join(directory, path), "utf8").catch(() => "");
}

/** Checks that the file defines the constant exactly once, with this value. */
export function hasConstant(path: string, name: string, value: number): Verify {
	return async (directory) => {
		const text = await readText(directory, path);
		const definitions = [...text.matchAll(new RegExp(`^export const ${escapePattern(name)} = (.*);$`, "gm"))];
		return definitions.length === 1 && definitions[0]?.[1] === String(value);
	};
}

/** Checks that one constant of any name has this description and this value. */
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

/** Checks that the body of the function has this line, with any indentation. */
export function hasLineInFunction(path: string, name: string, line: string): Verify {
	return async (directory) => {
		const text = await readText(directory, path);
		const body = new RegExp(`function ${escapePattern(name)}\\([\\s\\S]*?\\n}`).exec(text)?.[0] ?? "";
		return body.split("\n").some((candidate) => candidate.trim() === line);
	};
}

/** Checks that the old name is gone from src and docs, and that the new one is in each of its files. */
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

/** The list includes folders, which read as empty texts. */
async function listSources(directory: string): Promise<readonly string[]> {
	const folders = ["src", "docs"].map(async (folder) => {
		const names = await readdir(join(directory, folder), { recursive: true });
		return names.map((name) => join(folder, name));
	});
	return (await Promise.all(folders)).flat();
}

/** Checks that the config has the option with this value, next to its earlier options. */
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

/** Checks that the file has exactly this line. */
export function hasLine(path: string, line: string): Verify {
	return async (directory) => (await readText(directory, path)).split("\n").includes(line);
}

export function allOf(...checks: readonly Verify[]): Verify {
	return async (directory) => (await Promise.all(checks.map((check) => check(directory)))).every(Boolean);
}
