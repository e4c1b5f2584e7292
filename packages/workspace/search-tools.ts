/** The tools that search a folder, with what the model reads. They throw errors whose messages are for the model too. */
import { formatGlobResult, type GlobRequest, glob } from "./glob/glob.ts";
import { formatGrepResult, type GrepRequest, grep } from "./grep/grep.ts";
import type { WorkspaceContext } from "./listing/file-listing.ts";
import type { CountTokens } from "./text/shown-text.ts";

interface SearchOptions extends WorkspaceContext {
	/** Loads the tokenizer. */
	readonly loadCounter: () => Promise<CountTokens>;
}

export const searchTools = {
	async glob(request: GlobRequest, { loadCounter, ...options }: SearchOptions): Promise<string> {
		return formatGlobResult(await glob(request, options), await loadCounter());
	},
	async grep(request: GrepRequest, { loadCounter, ...options }: SearchOptions): Promise<string> {
		return formatGrepResult(await grep(request, options), await loadCounter());
	},
};
