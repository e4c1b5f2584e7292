/** The version of this package. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageDirectory } from "#pi";

/** As package.json has it, such as `0.1.0`. */
export function ownVersion(): string {
	const manifest: { version?: string } = JSON.parse(
		readFileSync(join(packageDirectory(), "package.json"), "utf8"),
	);
	return manifest.version ?? "unknown";
}
