/**
 * The tools of pi import typebox, several hundred files, and a highlighter of 190 languages, which only their renderers
 * call. Reading them takes longer than any call, so the installed package answers with its own build of typebox, and
 * with a highlighter that does nothing.
 */
import { existsSync } from "node:fs";
import * as nodeModule from "node:module";
import { fileURLToPath } from "node:url";

type Next = (specifier: string, context: unknown) => Resolved;
interface Resolved {
	readonly url: string;
	readonly shortCircuit?: boolean;
}

const built = (name: string) => new URL(`./${name}.mjs`, import.meta.url).href;

const replacements: ReadonlyMap<string, string> = new Map([
	["typebox", built("typebox")],
	["typebox/compile", built("typebox-compile")],
	["typebox/value", built("typebox-value")],
	[
		"cli-highlight",
		"data:text/javascript,export const highlight=String;export const supportsLanguage=()=>false",
	],
]);

let areReplaced = false;

/** Node calls this for each import. */
export function resolve(specifier: string, context: unknown, next: Next): Resolved {
	const url = replacements.get(specifier);
	return url === undefined ? next(specifier, context) : { url, shortCircuit: true };
}

/**
 * Puts the replacements in force for the imports that follow. A clone has no build, and keeps what is installed.
 * Node before 22.15 runs hooks in a thread of their own.
 */
export function replaceSlowImports(): void {
	if (areReplaced) return;
	areReplaced = true;
	if (!existsSync(fileURLToPath(built("typebox")))) return;
	if ("registerHooks" in nodeModule && typeof nodeModule.registerHooks === "function") {
		nodeModule.registerHooks({ resolve });
	} else {
		nodeModule.register(import.meta.url);
	}
}
