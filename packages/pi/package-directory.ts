/** The folder of this package, from its source in a clone and from dist/ in an installed copy alike. */
import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

let found: string | undefined;

/** Holds package.json, `extensions` and `prompts`; an absolute path without symbolic links. */
export function packageDirectory(): string {
	found ??= realpathSync(above(fileURLToPath(new URL(".", import.meta.url))));
	return found;
}

/** The first folder from here upwards that holds the extension, which is in the same place in every copy. */
function above(folder: string): string {
	const parent = dirname(folder);
	if (parent === folder || existsSync(join(folder, "extensions", "cwl"))) return folder;
	return above(parent);
}

/** The file that pi loads: the source in a clone, the build in an installed copy. An absolute path. */
export function extensionFile(): string {
	const source = join(packageDirectory(), "extensions", "cwl", "index.ts");
	return existsSync(source) ? source : join(packageDirectory(), "extensions", "cwl", "index.js");
}
