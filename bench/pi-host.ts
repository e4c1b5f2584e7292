/**
 * The pi that the campaigns run on: the one that CWL_LANE names as `[node, program]` (see `.ci/lanes`), else the one of
 * this checkout. Versions from 0.87.1 on are a bundle: pi-ai's code for an API is a chunk that is named after the API.
 * In 0.73.1 pi-ai is a package with a path for each API.
 */
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { streamAnthropic } from "@mariozechner/pi-ai/anthropic";
import type { streamGoogle } from "@mariozechner/pi-ai/google";
import type { streamOpenAICompletions } from "@mariozechner/pi-ai/openai-completions";
import type { streamOpenAIResponses } from "@mariozechner/pi-ai/openai-responses";
import type * as pi from "@mariozechner/pi-coding-agent";

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

interface Streams {
	readonly "anthropic-messages": typeof streamAnthropic;
	readonly "openai-responses": typeof streamOpenAIResponses;
	readonly "openai-completions": typeof streamOpenAICompletions;
	readonly "google-generative-ai": typeof streamGoogle;
}

/** pi-ai's functions that send a request, by API. */
export async function loadStreams(): Promise<Streams> {
	return {
		"anthropic-messages": await loadStream("anthropic-messages", "anthropic", "streamAnthropic"),
		"openai-responses": await loadStream("openai-responses", "openai-responses", "streamOpenAIResponses"),
		"openai-completions": await loadStream(
			"openai-completions",
			"openai-completions",
			"streamOpenAICompletions",
		),
		"google-generative-ai": await loadStream("google-generative-ai", "google", "streamGoogle"),
	};
}

async function loadStream<A extends keyof Streams>(
	api: A,
	path: string,
	functionName: string,
): Promise<Streams[A]> {
	const chunks = join(dirname(PROGRAM), "chunks");
	if (!existsSync(chunks))
		return (await import(import.meta.resolve(`@mariozechner/pi-ai/${path}`)))[functionName];
	const chunk = readdirSync(chunks).find((file) => file.startsWith(`${api}-`));
	if (chunk === undefined) throw new Error(`${PROGRAM} has no code for ${api} in ${chunks}.`);
	return (await import(pathToFileURL(join(chunks, chunk)).href)).stream;
}
