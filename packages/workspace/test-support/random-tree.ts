import fc from "fast-check";

/** Few names, so that rules meet files often; some that need care in a regex, a shell or a terminal. */
const NAMES = [
	..."a b lib x.log keep.log y.ts .env A [id] éa -z !n #h *s b\\c {p}".split(" "),
	"a b",
	"q\nr",
];

const name = fc.constantFrom(...NAMES);
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));

const ruleName = fc.constantFrom(
	..."a b lib *.log x.log keep.* * ? [ab] [!a] y.ts ** .e* éa a* [[]id] -z *s {p} q* *t".split(" "),
	"\\#h",
	"\\!n",
	"b\\\\c",
	"a b",
);
const rule = fc
	.tuple(
		fc.constantFrom("", "", "!"),
		fc.constantFrom("", "/", "**/"),
		fc.array(ruleName, { minLength: 1, maxLength: 3 }),
		fc.constantFrom("", "", "/", "/**", " "),
	)
	.map(([negation, anchor, parts, end]) => negation + anchor + parts.join("/") + end);
const rules = fc
	.array(
		fc.oneof(
			{ weight: 9, arbitrary: rule },
			{ weight: 1, arbitrary: fc.constantFrom("", "# note", "\\ ", "!", "/") },
		),
		{ maxLength: 5 },
	)
	.map((lines) => lines.join("\n"));

export interface RandomTree {
	readonly files: readonly string[];
	/** Directory, "" for the root, and the text of its .gitignore. */
	readonly ignoreFiles: readonly (readonly [string, string])[];
}

export const randomTree: fc.Arbitrary<RandomTree> = fc.record({
	files: fc.array(path, { minLength: 1, maxLength: 14 }),
	ignoreFiles: fc.array(fc.tuple(fc.oneof(fc.constant(""), path), rules), { maxLength: 4 }),
});

/** A name cannot be a file and a directory at once: whatever comes second is left out. */
export function toFiles(tree: RandomTree): Record<string, string> {
	const files: Record<string, string> = {};
	const directories = new Set<string>();
	const add = (path: string, text: string) => {
		const parents = path
			.split("/")
			.slice(0, -1)
			.map((_, depth, parts) => parts.slice(0, depth + 1).join("/"));
		if (directories.has(path) || parents.some((parent) => parent in files)) return;
		for (const parent of parents) directories.add(parent);
		files[path] ??= text;
	};
	for (const path of tree.files) add(path, `text of ${path}\n`);
	for (const [directory, text] of tree.ignoreFiles)
		add(directory === "" ? ".gitignore" : `${directory}/.gitignore`, text);
	return files;
}
