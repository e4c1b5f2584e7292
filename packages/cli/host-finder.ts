/** Finds the pi that `cwl` runs: the newer scope first, of those that this Node can run. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { CwlError } from "#pi";

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

const names = ["@earendil-works/pi-coding-agent", "@mariozechner/pi-coding-agent"];

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
			"Install one next to it: npm install @mariozechner/pi-coding-agent",
	);
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
