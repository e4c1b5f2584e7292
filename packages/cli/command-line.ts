/** Shared by all commands of `cwl`: reading flags, errors that the user can mend, and how the program calls itself. */

import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { printable } from "#basics";
import { CwlError, messageOf, packageDirectory } from "#pi";
import { suggestName } from "#pi/screen";

type Flags = NonNullable<ParseArgsConfig["options"]>;

/**
 * The flags and, with `takesWords`, the words of a command; undefined after `--help`, when the usage was printed.
 * @throws CwlError `bad-flag` for an unknown flag, and the errors of `parseArgs` for a missing value
 */
export function readCommand<const Options extends Flags>(
	argv: readonly string[],
	usage: string,
	flags: Options,
	takesWords = false,
) {
	const options = { ...flags, help: { type: "boolean", short: "h" } } as const;
	try {
		const read = parseArgs<{ args: string[]; options: Options; allowPositionals: true }>({
			args: [...argv],
			options,
			allowPositionals: takesWords as true,
		});
		const { help = false }: { readonly help?: boolean } = read.values;
		if (help) process.stdout.write(usage);
		return help ? undefined : read;
	} catch (error) {
		const unknown = unknownFlag(error);
		if (unknown === undefined) throw error;
		const known = Object.keys(flags).map((name) => `--${name}`);
		const hint = suggestName(unknown, [...known, "--help"]);
		const all = known.length > 0 ? ` Use ${known.join(", ")} or --help.` : " Use --help.";
		throw new CwlError("bad-flag", `there is no flag ${unknown} here.${hint || all}`);
	}
}

/** A whole number of at least `least`. @throws CwlError with this code, the flag and the numbers that are allowed */
export function readNumber(code: string, flag: string, text: string, least: number, most = Infinity): number {
	const value = Number(text);
	if (Number.isInteger(value) && value >= least && value <= most && text.trim() !== "") return value;
	const range = most === Infinity ? `of at least ${least}` : `from ${least} to ${most}`;
	throw new CwlError(code, `${flag} is ${JSON.stringify(text)}: use a whole number ${range}.`);
}

/** Prints a text, ended with a newline, and returns the exit code 0. */
export function print(text: string): number {
	process.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
	return 0;
}

/** Runs something that ends early when the user presses Ctrl-C; a second time ends the program. */
export async function untilInterrupted<Result>(
	run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
	const interrupt = new AbortController();
	const onInterrupt = () => interrupt.abort();
	process.once("SIGINT", onInterrupt);
	try {
		return await run(interrupt.signal);
	} finally {
		process.removeListener("SIGINT", onInterrupt);
	}
}

/** Resolves with 0 when the user or the system ends the program. */
export function ended(): Promise<number> {
	return new Promise((resolve) => {
		for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve(0));
	});
}

/** JSON without a character that could steer a terminal; it parses to what it was. Ends with a newline. */
export function jsonText(data: unknown, indent?: number): string {
	const lines = JSON.stringify(data, undefined, indent).split("\n");
	return `${lines.map(printable).join("\n")}\n`;
}

/** The code of one of Node's errors; empty for any other. */
export function codeOf(error: unknown): string {
	return error instanceof Error && "code" in error ? String(error.code) : "";
}

function unknownFlag(error: unknown): string | undefined {
	const isUnknown = codeOf(error) === "ERR_PARSE_ARGS_UNKNOWN_OPTION";
	return isUnknown ? /'(-[^']*)'/.exec(messageOf(error))?.[1] : undefined;
}

/** Run a command. An expected error becomes one line on stderr, after the program's name, and exit code 2. */
export async function reportExpected<Code extends number | undefined>(
	program: string,
	command: () => Promise<Code>,
): Promise<Code | 2> {
	try {
		return await command();
	} catch (error) {
		// Our own errors, and those of `node:util` about arguments.
		const isExpected = error instanceof CwlError || codeOf(error).startsWith("ERR_PARSE_ARGS");
		const said = isExpected ? messageOf(error) : describeMissingFolder(error);
		if (said === undefined) throw error;
		process.stderr.write(`${program}: ${said}\n`);
		return 2;
	}
}

/** Node's error where the folder that the program runs in was deleted; undefined for any other one. */
function describeMissingFolder(error: unknown): string | undefined {
	const isMissing = error instanceof Error && "syscall" in error && error.syscall === "uv_cwd";
	return isMissing ? "the current folder no longer exists: change to another one with cd." : undefined;
}

/**
 * A command that starts this program in any folder. It is never `npx cwl`, which would fetch a stranger's package of that
 * name wherever this one is not installed.
 */
export function ownCommand(): string {
	const [, started = ""] = process.argv;
	const isCommand = basename(started) === "cwl";
	if (isCommand && !dirname(started).endsWith(join("node_modules", ".bin"))) return "cwl";
	const program = isCommand ? started : `node ${join(packageDirectory(), "packages", "cli", "bin.mjs")}`;
	return program.replace(/(\/.* .*)$/, "'$1'");
}

/** The version of this package as package.json has it, such as `0.1.0`. */
export function ownVersion(): string {
	const manifest: { version?: string } = JSON.parse(
		readFileSync(join(packageDirectory(), "package.json"), "utf8"),
	);
	return manifest.version ?? "unknown";
}

/** The commands of pi's newest version. They take the first place on pi's command line. */
export const piCommands: readonly string[] = "install remove uninstall update list config auth mcp".split(
	" ",
);
