/** Listing: our tool against ripgrep, fd, git, and the packages that a Node program would use. */
import { glob } from "#workspace";
import { countRecords, findPackage, readOutput } from "./programs.ts";
import type { TimedProgram } from "./timing.ts";

type ListWithPackage = (
	pattern: string,
	options: Readonly<Record<string, unknown>>,
) => Promise<readonly string[]>;

/**
 * Lists every file below `base`, "." or a directory of the tree. Each program returns the number of files that it
 * saw.
 */
export async function globPrograms(
	root: string,
	base: string,
	present: ReadonlySet<string>,
): Promise<readonly TimedProgram[]> {
	const run = (name: string, program: string, args: readonly string[], mark = "\0"): TimedProgram => ({
		name,
		run: async () => countRecords(await readOutput(program, args, root), mark),
	});
	const programs: TimedProgram[] = [
		run("rg --files", "rg", ["--files", "--hidden", "--glob=!.git", "--null", base]),
		{
			name: "ours",
			run: async () => (await glob({ pattern: "**", path: base }, { cwd: root })).total,
		},
		run("git ls-files", "git", ["ls-files", "-co", "--exclude-standard", "-z", "--", base]),
	];
	if (present.has("fd")) {
		programs.push(run("fd", "fd", ["--hidden", "--exclude=.git", "--type=f", "--type=l", "-0", ".", base]));
	}
	return [...programs, ...(await packagePrograms(root, base))];
}

async function packagePrograms(root: string, base: string): Promise<readonly TimedProgram[]> {
	const pattern = base === "." ? "**" : `${base}/**`;
	const programs: TimedProgram[] = [];
	const fastGlob = await findPackage("fast-glob", process.cwd())?.load();
	const list = field(fastGlob, "default") ?? fastGlob;
	if (isList(list)) {
		const options = { cwd: root, dot: true, ignore: ["**/node_modules/**", "**/.git/**"] };
		programs.push({
			name: "fast-glob with ignore patterns",
			run: async () => (await list(pattern, options)).length,
		});
	}
	const globby = field(await findPackage("globby", process.cwd())?.load(), "globby");
	if (isList(globby)) {
		const options = { cwd: root, dot: true, gitignore: true, ignore: ["**/.git/**"] };
		programs.push({ name: "globby", run: async () => (await globby(pattern, options)).length });
	}
	return programs;
}

function field(value: unknown, name: string): unknown {
	if ((typeof value !== "object" && typeof value !== "function") || value === null) return undefined;
	return Reflect.get(value, name);
}

function isList(value: unknown): value is ListWithPackage {
	return typeof value === "function";
}
