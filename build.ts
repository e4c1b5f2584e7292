/**
 * Builds dist/, the JavaScript that an installed package runs; a clone runs the TypeScript source. The reasons are in
 * docs/decisions.md, 005.
 */
import { execFileSync } from "node:child_process";
import { copyFile, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import { build, type Plugin } from "esbuild";

const output = resolve(import.meta.dirname, "dist");

/** Code in dist/ lies elsewhere than its source, so text files that the source reads by its own URL become part of it. */
const inlineTextFiles: Plugin = {
	name: "inline-text-files",
	setup({ onLoad }) {
		const readsText = /readFileSync\(\s*new URL\("([^"]+)", import\.meta\.url\),\s*"utf8",?\s*\)/g;
		onLoad({ filter: /\/(packages|extensions)\/.*\.ts$/ }, async ({ path }) => {
			const source = await readFile(path, "utf8");
			const names = [...source.matchAll(readsText)].map(([, name = ""]) => name);
			if (names.length === 0) return undefined;
			const texts = await Promise.all(names.map((name) => readFile(resolve(dirname(path), name), "utf8")));
			const contents = source.replace(readsText, () => JSON.stringify(texts.shift()));
			return { contents, loader: "ts" };
		});
	},
};

/** Packages whose code becomes part of dist/, with all that they import. */
const BUNDLED = /^(typebox|gpt-tokenizer|@modelcontextprotocol\/sdk|@opentelemetry\/.*)(\/|$)/;

/**
 * Dependencies stay outside of the bundle, where npm can update them. Three do not: typebox is several hundred files, and
 * reading them takes longer than everything else that `cwl help` does; of the tokenizer, 29 MB when it is installed, one
 * encoding is used; of the SDK for `cwl mcp`, 29 MB too, a server needs a fiftieth.
 */
const externalDependencies: Plugin = {
	name: "external-dependencies",
	setup({ onResolve }) {
		onResolve({ filter: /^[^.#/]/ }, ({ path, kind, importer }) => {
			const isBundled = kind === "entry-point" || BUNDLED.test(path) || importer.includes("/node_modules/");
			return isBundled ? undefined : { path, external: true };
		});
	},
};

await rm(output, { recursive: true, force: true });
const { metafile } = await build({
	absWorkingDir: import.meta.dirname,
	outdir: output,
	entryPoints: {
		cli: "packages/cli/main.ts",
		extension: "extensions/cwl/index.ts",
		library: "packages/library.ts",
		"import-hooks": "packages/cli/import-hooks.ts",
		typebox: "typebox",
		"typebox-compile": "typebox/compile",
		"typebox-value": "typebox/value",
		// Threads are started by a URL relative to the code that starts them, which lies in dist/ too.
		"runner-thread": "packages/replay/run/runner-thread.ts",
	},
	outExtension: { ".js": ".mjs" },
	bundle: true,
	splitting: true,
	format: "esm",
	platform: "node",
	target: "node20.6",
	logLevel: "warning",
	metafile: true,
	legalComments: "none",
	plugins: [inlineTextFiles, externalDependencies],
});
// git is started by this script, by a URL relative to the code that starts it.
await copyFile(
	resolve(import.meta.dirname, "packages/workspace/git/limited-git.sh"),
	resolve(output, "limited-git.sh"),
);
await writeFile(resolve(output, "THIRD-PARTY.txt"), await collectLicenses(Object.keys(metafile.inputs)));
await writeDeclarations();

/** The licenses of the packages whose code is part of dist/: they ask to be copied along. */
async function collectLicenses(inputs: readonly string[]): Promise<string> {
	const folders = inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
	const bundled = [...new Set(folders)].toSorted();
	const texts = bundled.map(async (folder) => {
		const directory = resolve(import.meta.dirname, folder);
		const { name, version, license } = JSON.parse(await readFile(resolve(directory, "package.json"), "utf8"));
		const file = (await readdir(directory)).find((entry) => /^licen[cs]e/i.test(entry));
		const text = file === undefined ? "" : await readFile(resolve(directory, file), "utf8");
		return `${name} ${version} (${license})\n\n${text}`.trim();
	});
	return `${(await Promise.all(texts)).join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}

/** The declarations of the library, with `#core` and its like as paths: an installed copy has no such sources. */
async function writeDeclarations(): Promise<void> {
	const program = resolve(import.meta.dirname, "node_modules/typescript/bin/tsc");
	execFileSync(process.execPath, [program, "-p", "tsconfig.types.json"], { cwd: import.meta.dirname });
	const { imports } = JSON.parse(await readFile(resolve(import.meta.dirname, "package.json"), "utf8"));
	const types = resolve(output, "types");
	const sourceOf = (name: string): string => {
		const [, start = name, rest = ""] = /^(#[^/]+)(?:\/(.*))?$/.exec(name) ?? [];
		const pattern: string = rest === "" ? imports[start] : imports[`${start}/*`];
		return pattern.replace("./packages/", "").replace("*", rest);
	};
	for (const path of await readdir(types, { recursive: true })) {
		if (!path.endsWith(".d.ts")) continue;
		const file = resolve(types, path);
		const text = await readFile(file, "utf8");
		const linked = text.replace(/(?<=["'])#[\w/-]+(?=["'])/g, (name) => {
			const target = relative(dirname(file), resolve(types, sourceOf(name))).replaceAll("\\", "/");
			return target.startsWith(".") ? target : `./${target}`;
		});
		if (linked !== text) await writeFile(file, linked);
	}
}
