/**
 * The pi that the campaigns run on: the one that CWL_LANE names as `[node, program]` (see `.ci/lanes`), else the one of
 * this checkout. Versions from 0.87.1 on are a bundle: pi-ai's code for an API is a chunk that is named after the API.
 * In 0.73.1 pi-ai is a package with a path for each API.
 */
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Api, Context, Model, StreamOptions } from "@mariozechner/pi-ai";
import type * as pi from "@mariozechner/pi-coding-agent";

/** The folder of this project, and the extension in it. */
export const PROJECT = join(import.meta.dirname, "..");
export const EXTENSION = join(PROJECT, "extensions", "cwl", "index.ts");

const lane: readonly string[] = process.env.CWL_LANE ? JSON.parse(process.env.CWL_LANE) : [];

/** The Node that runs pi, and pi's program. */
export const [
	NODE = process.execPath,
	PROGRAM = fileURLToPath(new URL("./cli.js", import.meta.resolve("@mariozechner/pi-coding-agent"))),
] = lane;

type Library = Pick<typeof pi, "buildSessionContext" | "convertToLlm" | "parseSessionEntries" | "VERSION">;

/** Every version has its library next to its program. Version 1.5.2 needs Node 22. */
export async function loadLibrary(): Promise<Library> {
	return await import(pathToFileURL(join(dirname(PROGRAM), "index.js")).href);
}

/** Where pi-ai 0.73.1 has the function that sends a request of an API: the path and the name. */
const streams = {
	"anthropic-messages": ["anthropic", "streamAnthropic"],
	"openai-responses": ["openai-responses", "streamOpenAIResponses"],
	"openai-completions": ["openai-completions", "streamOpenAICompletions"],
	"google-generative-ai": ["google", "streamGoogle"],
} as const;

export type StreamApi = keyof typeof streams;
/** Each API has options of its own. */
export type Stream = (model: Model<Api>, context: Context, options: StreamOptions) => unknown;

/** pi-ai's function that sends a request of an API. */
export async function loadStream(api: StreamApi): Promise<Stream> {
	const [path, name] = streams[api];
	const chunks = join(dirname(PROGRAM), "chunks");
	if (!existsSync(chunks)) return (await import(import.meta.resolve(`@mariozechner/pi-ai/${path}`)))[name];
	const chunk = readdirSync(chunks).find((file) => file.startsWith(`${api}-`));
	if (chunk === undefined) throw new Error(`${PROGRAM} has no code for ${api} in ${chunks}.`);
	return (await import(pathToFileURL(join(chunks, chunk)).href)).stream;
}
