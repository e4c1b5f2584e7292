/** The terminal agent: the pi that was found, with our extension loaded, in all of pi's modes. */
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chooseHost, type PiHost, packageDirectory } from "./host-finder.ts";

/** pi's own sub-commands take the first place on the command line, so no flag may come before them. */
const piCommands = new Set(["install", "remove", "uninstall", "update", "list", "config"]);

const howToConfigure = `cwl: no model is configured. Give pi one of these, and start cwl again:
  - an API key in the environment, such as ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY
  - a subscription: run cwl, then /login
  - a server of your own in models.json (pi's docs/models.md)
`;

/** The extension file, by the path that names it in any process. */
function extensionPath(): string {
	return realpathSync(join(packageDirectory, "extensions", "cwl", "index.ts"));
}

/** What pi is started with: our extension first, except before pi's own sub-commands. */
function piArguments(argv: readonly string[]): readonly string[] {
	return argv[0] !== undefined && piCommands.has(argv[0]) ? argv : ["-e", extensionPath(), ...argv];
}

/** The environment by which an installed copy of the extension knows that another one is loaded. */
function piEnvironment(): Readonly<Record<string, string>> {
	return { CWL_HOST_EXTENSION: extensionPath() };
}

/**
 * Run pi in this process. Without arguments, and without a terminal or a model, run the demo instead.
 * Answers an exit code only for the demo: pi ends the process by itself.
 */
export async function runAgent(argv: readonly string[]): Promise<number | undefined> {
	const host = chooseHost();
	if (argv.length === 0) {
		const hasTerminal = process.stdin.isTTY && process.stdout.isTTY;
		const model = await hasModel(host);
		if (!model) process.stderr.write(`${howToConfigure}Until then, here is the demo.\n\n`);
		if (!hasTerminal || !model) return (await import("./demo.ts")).runDemo([]);
	}
	Object.assign(process.env, piEnvironment());
	process.argv = [process.argv[0] ?? process.execPath, host.program, ...piArguments(argv)];
	await import(pathToFileURL(host.program).href);
	return undefined;
}

/** What we use of a host's exports to ask for its models; hosts without them answer for themselves. */
interface ModelExports {
	readonly AuthStorage?: { create(): unknown };
	readonly ModelRegistry?: { create(auth: unknown): { getAvailable(): readonly unknown[] } };
}

/** Whether pi has a model with a key. Unknown counts as yes: pi then says itself what it lacks. */
async function hasModel(host: PiHost): Promise<boolean> {
	if (host.name !== "@mariozechner/pi-coding-agent") return true;
	const { AuthStorage, ModelRegistry }: ModelExports = await import("@mariozechner/pi-coding-agent");
	if (!AuthStorage || !ModelRegistry) return true;
	return ModelRegistry.create(AuthStorage.create()).getAvailable().length > 0;
}
