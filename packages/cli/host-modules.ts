/** Single files of the pi that `cwl` runs: the whole library takes a second to load, one file of it a fraction. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as pi from "@mariozechner/pi-coding-agent";
import type { UnknownRecord } from "#core";
import { chooseHost } from "./host-finder.ts";

type HostModule = Pick<
	typeof pi,
	"createReadTool" | "createBashTool" | "createEditTool" | "createWriteTool" | "SettingsManager"
>;

interface HostCall {
	readonly type: "toolCall";
	readonly id: string;
	readonly name: string;
	readonly arguments: UnknownRecord;
}

/** Returns the arguments, converted where needed; throws an error whose message is for the model. */
type CheckArguments = (
	tool: { readonly name: string; readonly parameters: unknown },
	call: HostCall,
) => UnknownRecord;

/**
 * A module of pi's, from the file where this version has it, or else its whole library.
 * @throws CwlError `no-host`
 */
export async function importHost(file: string): Promise<HostModule> {
	const { directory, program } = chooseHost();
	const part = join(directory, "dist", file);
	return await importFile(existsSync(part) ? part : join(dirname(program), "index.js"));
}

/**
 * pi's check of a call's arguments, or undefined when this version has it elsewhere.
 * @throws CwlError `no-host`
 */
export async function importArgumentCheck(): Promise<CheckArguments | undefined> {
	const { name, program } = chooseHost();
	const library = name.replace("pi-coding-agent", "pi-ai");
	const roots = createRequire(program).resolve.paths(library) ?? [];
	const files = roots.map((root) => join(root, library, "dist", "utils", "validation.js"));
	const file = files.find((candidate) => existsSync(candidate));
	return file === undefined ? undefined : (await importFile(file)).validateToolArguments;
}

async function importFile(path: string) {
	const { replaceSlowImports } = await import("./import-hooks.ts");
	replaceSlowImports();
	return await import(pathToFileURL(path).href);
}
