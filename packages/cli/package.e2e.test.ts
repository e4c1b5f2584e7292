/** The packed package: what it holds, what can be imported, and what pi's documentation asks of a package. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { scratchFolder } from "../workspace/test-support/scratch.ts";
import { unpackInto } from "./test-support/packed.ts";

const project = scratchFolder();
let installed = "";
let manifest: Manifest;

interface Manifest {
	readonly name: string;
	readonly keywords: readonly string[];
	readonly bin: Readonly<Record<string, string>>;
	readonly dependencies: Readonly<Record<string, string>>;
	readonly peerDependencies: Readonly<Record<string, string>>;
	readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional?: boolean }>>;
	readonly pi: { readonly extensions: readonly string[]; readonly image: string; readonly video: string };
}

beforeAll(async () => {
	writeFileSync(join(project, "package.json"), JSON.stringify({ private: true, type: "module" }));
	installed = await unpackInto(project);
	manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
});
/** Prints what an import of this specifier gives: the sorted names, or the code of the error. */
function importNames(specifier: string): string {
	const code = `import(${JSON.stringify(specifier)}).then((m) => Object.keys(m).sort().join(), (e) => e.code).then(console.log)`;
	return execFileSync(process.execPath, ["-e", code], { cwd: project, encoding: "utf8" }).trim();
}

describe("what can be imported", () => {
	it("is the library, which needs no installed dependency", () => {
		expect(importNames("context-window-lifecycle").split(",")).toContain("createSession");
	});

	it.each([
		"context-window-lifecycle/dist/cli.mjs",
		"context-window-lifecycle/packages/cli/bin.mjs",
		"context-window-lifecycle/package.json",
		"context-window-lifecycle/projection",
	])("is not %s", (specifier) => {
		expect(importNames(specifier)).toBe("ERR_PACKAGE_PATH_NOT_EXPORTED");
	});
});

describe("pi's contract for packages", () => {
	it("is met by the manifest: the gallery's keyword, an extension that exists, pictures that are in the package", () => {
		expect(manifest.keywords).toContain("pi-package");
		for (const folder of manifest.pi.extensions) {
			const names = readdirSync(join(installed, folder));
			expect(names.map((name) => existsSync(join(installed, folder, name, "index.js")))).toEqual([true]);
		}
		for (const url of [manifest.pi.image, manifest.pi.video]) {
			const [, path = ""] = /^https:\/\/unpkg\.com\/context-window-lifecycle\/(.+)$/.exec(url) ?? [];
			expect(existsSync(join(installed, path)), url).toBe(true);
		}
	});

	it("asks for pi's packages as optional peers of any version, so that none is installed next to another pi", () => {
		const peers = Object.entries(manifest.peerDependencies);
		expect(peers).toContainEqual(["@earendil-works/pi-coding-agent", "*"]);
		for (const [name, range] of peers) {
			expect(range).toBe("*");
			expect(manifest.peerDependenciesMeta[name]?.optional, name).toBe(true);
		}
		expect(Object.keys(manifest.dependencies).filter((name) => /\/pi-/.test(name))).toEqual([]);
	});
});

describe("the files of the package", () => {
	const files = () =>
		readdirSync(installed, { recursive: true, encoding: "utf8" }).filter((path) =>
			statSync(join(installed, path)).isFile(),
		);

	it("are no sources, tests or servers for tests", () => {
		expect(files().filter((path) => /(?<!\.d)\.ts$|test|loopback|(?:^|\/)bench\//.test(path))).toEqual([]);
	});

	it("start nothing while npm installs them", () => {
		const { scripts = {} } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
		expect(Object.keys(scripts).filter((name) => /^(?:pre|post)?install$/.test(name))).toEqual([]);
	});

	it("hold the license of each package whose code is part of them", () => {
		const licenses = readFileSync(join(installed, "dist/THIRD-PARTY.txt"), "utf8");
		for (const name of [
			"gpt-tokenizer",
			"typebox",
			"@modelcontextprotocol/sdk",
			"@opentelemetry/sdk-metrics",
		])
			expect(licenses).toMatch(new RegExp(`^${name} \\d[\\d.]+ \\(`, "m"));
	});
});
