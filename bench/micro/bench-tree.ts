/** The tree for the measurements: a repository of real source text, three quarters of it ignored. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";

/** Occurs in a few files; joined here, so that no source of ours contains it. */
export const RARE_LITERAL = ["rare", "Needle", "Of", "The", "Bench"].join("");
export const COMMON_LITERAL = "return";
/** Has no literal prefix to search for first. */
export const NO_PREFIX_PATTERN = "[a-z]+[0-9]{3,}";

const EXTENSIONS = ["ts", "js", "md", "json"];
const FILES_A_DIRECTORY = 15;
const LINES_A_FILE = 90;
const IGNORED_SHARE = 0.75;
const LIBRARY_SHARE = 0.05;

/**
 * Fills an empty directory with `files` files and commits those that are not ignored; a few are changed and a few
 * untracked. Takes the text from the `.ts` files in the folder `sources`, without its packages. 100,000 files take
 * about 20 s.
 */
export async function createBenchTree(root: string, files: number, sources: string): Promise<void> {
	const lines = readSources(sources);
	/** A different part of the sources for each file; the step shares no factor with their usual length. */
	const text = (index: number) => {
		const from = (index * 7919) % Math.max(1, lines.length - LINES_A_FILE);
		return `${lines.slice(from, from + LINES_A_FILE).join("\n")}\n`;
	};
	const ignored = Math.round(files * IGNORED_SHARE);
	const library = Math.round(files * LIBRARY_SHARE);
	const rare = Math.max(1, Math.floor((files - ignored - library) / 3));
	writeFiles(join(root, "node_modules"), ignored, (index) => `module.exports = ${index};\n`);
	writeFiles(join(root, "lib"), library, text);
	writeFiles(join(root, "src"), files - ignored - library, (index) =>
		index % rare === 1 ? `${text(index)}// ${RARE_LITERAL}\n` : text(index),
	);
	writeFileSync(join(root, ".gitignore"), "node_modules/\n*.log\n");
	const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: root, stdio: "pipe" });
	git("init", "--quiet", "--initial-branch=main", "--template=");
	git("add", "--all");
	const identity = ["user.name=Bench", "user.email=bench@example.invalid", "commit.gpgsign=false"];
	const options = identity.flatMap((setting) => ["-c", setting]);
	git(...options, "commit", "--quiet", "--no-verify", "--message=The tree of the bench");
	for (const index of [0, 1, 2, 3]) {
		writeFileSync(join(root, fileName("lib", index)), "changed\n");
		writeFileSync(join(root, "src", `untracked-${index}.ts`), "new\n");
	}
}

function writeFiles(directory: string, count: number, text: (index: number) => string): void {
	for (let index = 0; index < count; index += 1) {
		const path = fileName(directory, index);
		if (index % FILES_A_DIRECTORY === 0) mkdirSync(join(path, ".."), { recursive: true });
		writeFileSync(path, text(index));
	}
}

/** Twenty directories of fifteen files in each of the outer ones. */
function fileName(directory: string, index: number): string {
	const inner = Math.floor(index / FILES_A_DIRECTORY);
	const extension = EXTENSIONS[index % EXTENSIONS.length];
	return join(directory, `p${Math.floor(inner / 20)}`, `m${inner % 20}`, `file${index}.${extension}`);
}

function readSources(folder: string): readonly string[] {
	// `node_modules` may be a folder or a link to one; a recursive listing reads only the former.
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
		.map((entry) => join(entry.parentPath, entry.name))
		.filter((path) => !path.includes(`${sep}node_modules${sep}`))
		.sort()
		.flatMap((path) => readFileSync(path, "utf8").split("\n"));
}
