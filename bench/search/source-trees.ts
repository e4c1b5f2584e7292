/** Real source code for the questions, read from packages that this project has installed anyway. */
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { CwlError } from "#pi";

/** A package, its folder of readable source, and its folder in the tree. */
const SOURCES = [
	{ name: "undici", folder: "lib", as: "undici/lib" },
	{ name: "yaml", folder: "dist", as: "yaml/lib" },
	{ name: "openai", folder: "src", as: "openai/src" },
	{ name: "@anthropic-ai/sdk", folder: "src", as: "anthropic/src" },
] as const;
const CODE = /\.(js|ts)$/;
const DECLARATIONS = /\.d\.ts$/;

export interface SourceTrees {
	/** Text by path in the tree, in the order of the paths. */
	readonly files: ReadonlyMap<string, string>;
	/** Name and version of each package. */
	readonly versions: readonly string[];
}

/** @throws CwlError `no-sources` naming the package that is not installed. */
export async function readSourceTrees(): Promise<SourceTrees> {
	const trees = await Promise.all(SOURCES.map(readTree));
	const files = trees.flatMap((tree) => tree.files);
	files.sort(([a], [b]) => (a < b ? -1 : 1));
	return { files: new Map(files), versions: trees.map((tree) => tree.version) };
}

async function readTree({ name, folder, as }: (typeof SOURCES)[number]) {
	const directory = findPackage(name);
	const manifest: { version?: string } = JSON.parse(await readFile(join(directory, "package.json"), "utf8"));
	const names = await readdir(join(directory, folder), { recursive: true });
	const paths = names.filter((path) => CODE.test(path) && !DECLARATIONS.test(path));
	const files = await Promise.all(
		paths.map(async (path): Promise<readonly [string, string]> => {
			const text = await readFile(join(directory, folder, path), "utf8");
			return [`packages/${as}/${path.replaceAll("\\", "/")}`, text];
		}),
	);
	return { files, version: `${name} ${manifest.version ?? "unknown"}` };
}

function findPackage(name: string): string {
	const roots = createRequire(import.meta.url).resolve.paths(name) ?? [];
	const found = roots.map((root) => join(root, name)).find((directory) => existsSync(directory));
	if (found !== undefined) return found;
	throw new CwlError(
		"no-sources",
		`the questions are about the source of ${name}, which is not installed here: run npm ci in a clone.`,
	);
}
