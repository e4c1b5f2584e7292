/** The tools that search a folder, with what the model reads. They throw errors whose messages are for the model too. */
import type { CountTokens } from "#basics";
import { formatGlobResult, type GlobRequest, glob } from "./glob/glob.ts";
import { formatGrepResult, type GrepRequest, grep } from "./grep/grep.ts";
import type { WorkspaceContext } from "./listing/file-listing.ts";
import { formatWithin } from "./text/shown-text.ts";

interface SearchOptions extends WorkspaceContext {
	/** Loads the tokenizer, which only a long result needs. */
	readonly loadCounter: () => Promise<CountTokens>;
}

export const searchTools = {
	async glob(request: GlobRequest, { loadCounter, ...options }: SearchOptions): Promise<string> {
		const result = await glob(request, options);
		return await formatWithin((count) => formatGlobResult(result, count), loadCounter);
	},
	async grep(request: GrepRequest, { loadCounter, ...options }: SearchOptions): Promise<string> {
		const result = await grep(request, options);
		return await formatWithin((count) => formatGrepResult(result, count), loadCounter);
	},
};
