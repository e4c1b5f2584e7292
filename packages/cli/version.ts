/** `cwl --version`. */
import { findHosts } from "./host-finder.ts";
import { ownVersion } from "./own-version.ts";

/** `cwl 0.1.0 (pi 0.73.1, Node 20.20.2)`; says so when no pi was found. */
export function describeVersions(): string {
	const host = findHosts().find(({ isRunnable }) => isRunnable);
	return `cwl ${ownVersion()} (${host ? `pi ${host.version}` : "no pi found"}, Node ${process.versions.node})`;
}
