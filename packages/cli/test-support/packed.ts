/** The package as npm packs it, for tests of what a user installs. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const root = resolve(import.meta.dirname, "../../..");

/**
 * Packs the package and returns the tarball's path. The test files of one run share a tarball, because a build of dist/
 * may not be under way twice.
 */
async function packOnce(): Promise<string> {
	const folder = process.env.CWL_PACK_FOLDER ?? "";
	const done = join(folder, "done");
	if (isFirst(join(folder, "begun"))) {
		execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: root, stdio: "pipe" });
		writeFileSync(done, "");
	}
	while (!existsSync(done)) await sleep(50);
	const [tarball = ""] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
	return join(folder, tarball);
}

/** Making a folder succeeds in one process only. */
function isFirst(folder: string): boolean {
	try {
		mkdirSync(folder);
		return true;
	} catch {
		return false;
	}
}

/** Puts the packed package, without its dependencies, into the node_modules of an existing folder; returns where it is. */
export async function unpackInto(project: string): Promise<string> {
	const installed = join(project, "node_modules", "context-window-lifecycle");
	mkdirSync(installed, { recursive: true });
	execFileSync("tar", ["xzf", await packOnce(), "-C", installed, "--strip-components=1"]);
	return installed;
}
