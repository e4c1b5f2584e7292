/**
 * Builds dist/, the JavaScript that an installed package runs; a clone runs the TypeScript source. The reasons are in
 * docs/decisions.md, 005.
 */
import { copyFile, readFile, rm } from "node:fs/promises";
import { dirname, resolve } from "node:path";
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

/**
 * Dependencies stay outside of the bundle, where npm can update them. typebox does not: it is several hundred files,
 * and reading them takes longer than everything else that `cwl help` does.
 */
const externalDependencies: Plugin = {
	name: "external-dependencies",
	setup({ onResolve }) {
		onResolve({ filter: /^[^.#/]/ }, ({ path, kind }) => {
			const isBundled = kind === "entry-point" || /^typebox(\/|$)/.test(path);
			return isBundled ? undefined : { path, external: true };
		});
	},
};

await rm(output, { recursive: true, force: true });
await build({
	absWorkingDir: import.meta.dirname,
	outdir: output,
	entryPoints: {
		cli: "packages/cli/main.ts",
		extension: "extensions/cwl/index.ts",
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
	plugins: [inlineTextFiles, externalDependencies],
});
// git is started by this script, by a URL relative to the code that starts it.
await copyFile(
	resolve(import.meta.dirname, "packages/workspace/git/limited-git.sh"),
	resolve(output, "limited-git.sh"),
);
