/** Searching: our tool against ripgrep and git, on the same files. */
import { grep } from "#workspace";
import { countRecords, readOutput } from "./programs.ts";
import type { TimedProgram } from "./timing.ts";

export interface GrepQuestion {
	readonly pattern: string;
	/** Lines to return; the rest is only counted. */
	readonly limit: number;
}

const EVERYTHING = ["--hidden", "--glob=!.git", "--line-number", "--no-heading"];

/** Each program returns the number of matching lines that it saw; ours counts all of them. */
export function grepPrograms(root: string, { pattern, limit }: GrepQuestion): readonly TimedProgram[] {
	const ripgrep = (name: string, ...args: readonly string[]): TimedProgram => ({
		name,
		run: async () =>
			countRecords(await readOutput("rg", [...args, ...EVERYTHING, "-e", pattern, "./"], root), "\n"),
	});
	return [
		ripgrep("rg, all lines in any order"),
		ripgrep("rg --sort path, all lines", "--sort=path"),
		firstLines(root, pattern, limit),
		{
			name: "git grep",
			run: async () => {
				const args = ["grep", "--untracked", "-I", "-n", "-E", "-e", pattern];
				return countRecords(await readOutput("git", args, root), "\n");
			},
		},
		{ name: "ours", run: async () => (await grep({ pattern, limit }, { cwd: root })).matches },
	];
}

/** Stops at the limit without a count of the rest. */
function firstLines(root: string, pattern: string, limit: number): TimedProgram {
	const command = `rg ${EVERYTHING.map(quote).join(" ")} --sort=path -e ${quote(pattern)} ./ | head -n ${limit}`;
	return {
		name: `rg --sort path, ended after ${limit} lines`,
		run: async () => countRecords(await readOutput("sh", ["-c", command], root), "\n"),
	};
}

function quote(text: string): string {
	return `'${text.replaceAll("'", "'\\''")}'`;
}
