/**
 * Builds dist/, the JavaScript that an installed package runs; a clone runs the TypeScript source. The reasons are in
 * docs/decisions.md, 005.
 */
import { copyFile, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { build, type Plugin } from "esbuild";
import ranks from "gpt-tokenizer/bpeRanks/o200k_base";
import { packRanks } from "./packages/pi/codec/token-table.ts";

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

/** The tokenizer reads its vocabulary from a table, which this build writes, instead of building a map of it at each start. */
const packedTokenizer: Plugin = {
	name: "packed-tokenizer",
	setup({ onResolve, onLoad }) {
		const namespace = "packed-tokenizer";
		onResolve({ filter: /^gpt-tokenizer\/encoding\/o200k_base$/ }, ({ path }) => ({ path, namespace }));
		onLoad({ filter: /.*/, namespace }, () => ({
			resolveDir: import.meta.dirname,
			contents: `
				import { readFileSync } from "node:fs";
				import { createTokenizer } from "./packages/pi/codec/token-table.ts";
				const table = readFileSync(new URL("./token-table.bin", import.meta.url));
				export const { countTokens, setMergeCacheSize } = createTokenizer(table);
			`,
		}));
	},
};

/**
 * Dependencies stay outside of the bundle, where npm can update them. Two do not: typebox is several hundred files, and
 * reading them takes longer than everything else that `cwl help` does; the tokenizer's code must fit its table.
 */
const externalDependencies: Plugin = {
	name: "external-dependencies",
	setup({ onResolve }) {
		onResolve({ filter: /^[^.#/]/ }, ({ path, kind }) => {
			const isBundled = kind === "entry-point" || /^(typebox|gpt-tokenizer)(\/|$)/.test(path);
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
	plugins: [inlineTextFiles, packedTokenizer, externalDependencies],
});
await writeFile(resolve(output, "token-table.bin"), packRanks(ranks));
// git is started by this script, by a URL relative to the code that starts it.
await copyFile(
	resolve(import.meta.dirname, "packages/workspace/git/limited-git.sh"),
	resolve(output, "limited-git.sh"),
);
