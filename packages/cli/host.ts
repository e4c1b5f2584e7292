/**
 * The pi that `cwl` runs: the newer scope first, of those that this Node can run. Its whole library takes a second to
 * load, and single files of it a fraction.
 */

import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as pi from "@mariozechner/pi-coding-agent";
import { CwlError, type PricedModel } from "#pi";
import type { SessionParser } from "#pi/session";

export interface PiHost {
	readonly name: string;
	readonly version: string;
	readonly directory: string;
	/** The program that `pi` starts. */
	readonly program: string;
	/** Node versions that it declares, such as `>=20.6.0`. */
	readonly engines: string;
	/** True if this Node is one of them. */
	readonly isRunnable: boolean;
}

const names = ["@earendil-works/pi-coding-agent", "@mariozechner/pi-coding-agent"] as const;
/** The Node that pi has needed since it left the scope @mariozechner, whose last version is 0.73.1. */
const NEWEST_NODE = ">=22.19.0";

/** Every pi that is installed in or next to this package, in order of preference. */
export function findHosts(): readonly PiHost[] {
	const { resolve } = createRequire(import.meta.url);
	return names.flatMap((name) => {
		const roots = resolve.paths(name) ?? [];
		for (const root of roots) {
			const host = readHost(name, join(root, name));
			if (host) return [host];
		}
		return [];
	});
}

/**
 * The pi to run.
 * @throws CwlError `no-host` naming what was found and how to install one.
 */
export function chooseHost(): PiHost {
	const found = findHosts();
	const host = found.find((candidate) => candidate.isRunnable);
	if (host) return host;
	const seen = found
		.map(({ name, version, engines }) => `${name} ${version} needs Node ${engines}. `)
		.join("");
	throw new CwlError(
		"no-host",
		`no pi that Node ${process.versions.node} can run is installed with cwl. ${seen}` +
			`Install one next to it: ${hostInstallation()}`,
	);
}

/** The command that installs the newest pi which this Node can run. */
export function hostInstallation(): string {
	const [newest, last] = names;
	return `npm install ${satisfies(process.versions.node, NEWEST_NODE) ? newest : last}`;
}

function readHost(name: string, directory: string): PiHost | undefined {
	let text: string;
	try {
		text = readFileSync(join(directory, "package.json"), "utf8");
	} catch {
		// Not installed in this folder: the next one may have it.
		return undefined;
	}
	const manifest: { version?: string; bin?: Record<string, string>; engines?: { node?: string } } =
		JSON.parse(text);
	const program = manifest.bin?.pi;
	if (!program) return undefined;
	const engines = manifest.engines?.node ?? ">=20.6.0";
	return {
		name,
		version: manifest.version ?? "unknown",
		directory,
		program: join(directory, program),
		engines,
		isRunnable: satisfies(process.versions.node, engines),
	};
}

/** Returns true if a version is at least the one that `>=x.y.z` names, the only form that pi has used. */
function satisfies(version: string, engines: string): boolean {
	const least = /(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(engines);
	if (!least) return true;
	const have = version.split(".").map(Number);
	for (let i = 0; i < 3; i++) {
		const difference = (have[i] ?? 0) - Number(least[i + 1] ?? 0);
		if (difference !== 0) return difference > 0;
	}
	return true;
}

/** The exports of pi that cwl uses. */
export interface HostLibrary extends SessionParser {
	readonly SessionManager: typeof pi.SessionManager;
	/** Only in versions before 0.87. */
	readonly AuthStorage?: { create(): unknown };
	/** Only in later versions. */
	readonly ModelRuntime?: { create(): Promise<unknown> };
	readonly ModelRegistry: { new (runtime: unknown): Models; create?(auth: unknown): Models };
}

interface Models {
	/** The models with a key. */
	getAvailable(): readonly unknown[];
	find(provider: string, id: string): (PricedModel & { readonly contextWindow: number }) | undefined;
}

/** The models that pi knows, the user's own included. @throws as `loadHost` */
export async function loadModels(host: PiHost): Promise<Models | undefined> {
	const { AuthStorage, ModelRuntime, ModelRegistry } = await loadHost(host);
	if (ModelRuntime) return new ModelRegistry(await ModelRuntime.create());
	return ModelRegistry.create?.(AuthStorage?.create());
}

/** Returns true if pi has a model with a key. @throws as `loadHost` */
export async function hasModel(host: PiHost): Promise<boolean> {
	return (await loadModels(host))?.getAvailable().length !== 0;
}

/**
 * Load it, which takes a second or two. Every version has it in the folder of its program.
 * @throws CwlError `no-host` when no pi was found, or when it has no library
 */
export async function loadHost(host: PiHost = chooseHost()): Promise<HostLibrary> {
	const entry = join(dirname(host.program), "index.js");
	if (existsSync(entry)) return await import(pathToFileURL(entry).href);
	throw new CwlError(
		"no-host",
		`${host.name} ${host.version} in ${host.directory} has no ${entry}: install it again.`,
	);
}

type HostModule = Pick<
	typeof pi,
	"createReadTool" | "createBashTool" | "createEditTool" | "createWriteTool" | "SettingsManager"
>;

/**
 * A module of pi's, from the file where this version has it, or else its whole library.
 * @throws CwlError `no-host`
 */
export async function importHost(...file: readonly string[]): Promise<HostModule> {
	const { directory, program } = chooseHost();
	const part = join(directory, "dist", ...file);
	const { replaceSlowImports } = await import("./import-hooks.ts");
	replaceSlowImports();
	return await import(pathToFileURL(existsSync(part) ? part : join(dirname(program), "index.js")).href);
}
