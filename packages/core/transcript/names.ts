/** The file names and identifiers that a text mentions. */

/** Scripts that a call carries write line ends as escapes, which would become part of names. */
function separate(text: string): string {
	return text.replaceAll("\\n", "\n").replaceAll("\\t", "\t");
}

const EXTENSIONS = new Set(
	(
		"ts tsx mts cts js jsx mjs cjs json jsonl jsonc md mdx txt py pyi ipynb go rs java kt kts scala c h cc cpp hpp cs " +
		"rb php pl lua swift sh bash zsh fish ps1 bats toml yaml yml ini cfg conf env lock xml html css scss sql proto " +
		"graphql tf nix vue svelte csv tsv log mod sum rst tera pkl diff patch"
	).split(" "),
);

/**
 * Files that a text names, by their last two components and by their last one, so that absolute and relative paths
 * meet. Names without a known extension are passed over.
 */
export function findFileNames(text: string): ReadonlySet<string> {
	const names = new Set<string>();
	for (const [run] of separate(text).matchAll(/[\w.@~+/-]+/g)) {
		const path = run.replace(/(?<![./-])[./-]+$/, "");
		const dot = path.lastIndexOf(".");
		if (dot <= 0 || !EXTENSIONS.has(path.slice(dot + 1).toLowerCase())) continue;
		const components = path.split("/").filter((component) => component !== "" && component !== ".");
		names.add(components.slice(-2).join("/"));
		names.add(components.slice(-1).join(""));
	}
	return names;
}

/** Keeps the most telling name of each file: the last component only where nothing precedes it. */
export function distinctFiles(names: ReadonlySet<string>): readonly string[] {
	const all = [...names];
	return all.filter((name) => name.includes("/") || !all.some((other) => other.endsWith(`/${name}`)));
}

/** Identifiers of eight characters and more that no plain word looks like: camel case, snake case, or with a digit. */
export function findIdentifiers(text: string): ReadonlySet<string> {
	const names = new Set<string>();
	for (const [name] of separate(text).matchAll(/[A-Za-z_$][\w$]{7,}/g)) {
		if (/[a-z][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]|\d/.test(name)) names.add(name);
	}
	return names;
}

const KEPT_COMPONENTS = 2;

/** The key of a path: its last two components, so that absolute and relative paths meet. */
export function fileKey(path: string): string {
	const kept: string[] = [];
	for (const component of path.trim().split("/")) {
		if (component === "" || component === ".") continue;
		if (component === ".." && kept.length > 0) kept.pop();
		else kept.push(component);
	}
	return kept.slice(-KEPT_COMPONENTS).join("/");
}

/** The arguments of tools that name a file. */
const PATH_ARGUMENTS = new Set(
	"path paths file_path absolute_path filePath notebook_path file filename".split(" "),
);

/** Returns the path that an argument of a tool names, or undefined if it names none. */
export function pathArgument(name: string, value: unknown): string | undefined {
	const isPath = PATH_ARGUMENTS.has(name) && typeof value === "string" && /^[\w@~+./ -]+$/.test(value);
	return isPath ? value : undefined;
}
