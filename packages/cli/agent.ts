/** The terminal agent: the pi that was found, with the extension loaded, in all of pi's modes. */
import { pathToFileURL } from "node:url";
import { CwlError, extensionFile, packageDirectory } from "#pi";
import { suggestName } from "#pi/screen";
import { flags, readValue } from "#pi/settings";
import { ownCommand, piCommands, print } from "./command-line.ts";
import { chooseHost, hasModel, loadHost, type PiHost } from "./host.ts";
import { findSession } from "./session-finder.ts";

const noModel = `cwl: no model is configured yet. Use one of these:
  - a subscription or a key: type /login in the agent
  - a key in the environment, such as ANTHROPIC_API_KEY or OPENAI_API_KEY
  - your own server: models.json (pi's docs/models.md)
`;

/** Run pi in this process with these arguments. Pi ends the process itself. */
export async function runAgent(argv: readonly string[]): Promise<undefined> {
	const host = chooseHost();
	if (argv.length === 0 && !(await hasModel(host)))
		process.stderr.write(`${noModel}Until then, "${ownCommand()} demo" shows cwl at work.\n\n`);
	await runHost(host, argv);
}

/**
 * Run the agent if it can work: with arguments, or in a terminal and with a model. Otherwise run the demo.
 * Returns an exit code only for the demo.
 */
export async function runAgentOrDemo(argv: readonly string[]): Promise<number | undefined> {
	const host = chooseHost();
	const hasTerminal = process.stdin.isTTY && process.stdout.isTTY;
	const isConfigured = argv.length > 0 || (await hasModel(host));
	if (argv.length > 0 || (hasTerminal && isConfigured)) return await runHost(host, argv);
	if (!isConfigured) process.stderr.write(`${noModel}Until then, this is the demo.\n\n`);
	return await (await import("./demo.ts")).runDemo([]);
}

async function runHost(host: PiHost, argv: readonly string[]): Promise<undefined> {
	// pi would print a stack in a folder that was deleted.
	process.cwd();
	const isPiCommand = argv[0] !== undefined && piCommands.includes(argv[0]);
	if (!isPiCommand) checkOwnFlags(argv);
	const args = isPiCommand ? argv : ["-e", extensionFile(), ...argv];
	// An extension of another copy, installed in pi, reads this and does nothing.
	process.env.CWL_HOST_EXTENSION = packageDirectory();
	process.argv = [process.argv[0] ?? process.execPath, host.program, ...args];
	await import(pathToFileURL(host.program).href);
}

const softFlag = "cwl-soft";

/**
 * Checks the flags that cwl adds to pi's, before a model is called with other settings than those that were asked for.
 * @throws CwlError `bad-flag` for an unknown one, and that of the setting for a wrong value
 */
function checkOwnFlags(argv: readonly string[]) {
	const known = Object.entries(flags).map(([key, { name }]) => [key as keyof typeof flags, name] as const);
	for (const [at, word] of argv.entries()) {
		if (!word.startsWith("--cwl-")) continue;
		const [given = "", ...after] = word.slice(2).split("=");
		const key = known.find(([, name]) => name === given)?.[0];
		if (key === undefined && given !== softFlag) {
			const names = [...known.map(([, name]) => `--${name}`), `--${softFlag}`];
			throw new CwlError(
				"bad-flag",
				`there is no flag --${given}.${suggestName(`--${given}`, names) || ` cwl adds ${names.join(", ")}.`}`,
			);
		}
		if (key !== undefined) readValue(key, after.length > 0 ? after.join("=") : argv[at + 1]);
	}
}

const resumeUsage = `cwl resume [--soft] [SESSION] [pi's arguments]: continue a session

  SESSION      its file, or the beginning of its id; the latest of this folder without one
  --soft       start a fresh session from its goal, its user turns, a line for each episode and its known files;
               the old session does not change
`;

/** Returns an exit code for the help only: pi ends the process itself. */
export async function runResume(argv: readonly string[]): Promise<number | undefined> {
	const isSoft = argv.includes("--soft");
	const rest = argv.filter((word) => word !== "--soft");
	if (rest.includes("--help")) return print(resumeUsage);
	const [first] = rest;
	const named = first === undefined || first.startsWith("-") ? undefined : first;
	const file = await findSession(named, await loadHost());
	const more = named === undefined ? rest : rest.slice(1);
	return await runAgent([isSoft ? `--${softFlag}` : "--session", file, ...more]);
}
