import { countOf } from "../text/count-of.ts";
import { type CountTokens, takeFittingLines } from "../text/token-limit.ts";
import type { GlobResult } from "./glob.ts";

const MAX_TOKENS = 4000;

/** The answer for the model: a path a line, in at most 4,000 tokens, then a note about the paths that are left out. */
export function formatGlobResult(result: GlobResult, count: CountTokens): string {
	const { lines: paths } = takeFittingLines(result.paths, MAX_TOKENS, count);
	const lines = result.total === 0 ? ["No files match."] : [...paths];
	if (paths.length < result.total) {
		const rest = `${result.total - paths.length} more of ${result.total} files not shown`;
		lines.push(`(${rest}: narrow the pattern or raise limit)`);
	}
	if (result.unreadableDirectories > 0) {
		lines.push(`(${countOf(result.unreadableDirectories, "directory", "directories")} could not be read)`);
	}
	return lines.join("\n");
}
