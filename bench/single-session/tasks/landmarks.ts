/** The names and places of a source tree that a search finds without doubt. */

/** In characters; longer files cannot be read whole for one task. */
const MAX_FILE = 44_000;
const MIN_FILE = 4_000;
const MAX_FUNCTION_LENGTH = 50;
const MAX_MENTIONS = 25;
const MAX_FILES = 7;
const MIN_NAME_LENGTH = 8;

export type Files = ReadonlyMap<string, string>;

export interface Landmark {
	readonly name: string;
	/** The file that declares it. */
	readonly path: string;
}

export interface Landmarks {
	/** Functions at the top level, short enough to be read at once. */
	readonly functions: readonly Landmark[];
	/** Declarations that other files use too. */
	readonly shared: readonly Landmark[];
	/** Files to which a constant can be added after the imports. */
	readonly open: readonly string[];
	/** Files that export an object with one name per line. */
	readonly modules: readonly string[];
}

const FUNCTION = /^(?:export )?(?:async )?function (\w+) ?\(/gm;
const DECLARATION = /^(?:export )?(?:async )?(?:class|interface|type|const|function) ([A-Za-z]\w*)\b/gm;
const IMPORT = /^((import|export) .*|\} )from ["'][^"']+["'];?$|^(const|var) .*require\(["'][^"']+["']\);?$/m;
const WORD = /[A-Za-z_$][\w$]*/g;

export function findLandmarks(files: Files): Landmarks {
	const fit = [...files].filter(([, { length }]) => length >= MIN_FILE && length <= MAX_FILE);
	const fitting = new Set(fit.map(([path]) => path));
	const words = countWords(files);
	const declared = (pattern: RegExp) =>
		fit.flatMap(([path, text]) =>
			[...text.matchAll(pattern)].map((match) => ({ name: match[1] ?? "", path })),
		);
	const isFindable = ({ name }: Landmark) => {
		const uses = words.get(name);
		const isRare = uses !== undefined && uses.lines <= MAX_MENTIONS && uses.paths.length <= MAX_FILES;
		return name.length >= MIN_NAME_LENGTH && isRare && uses.paths.every((path) => fitting.has(path));
	};
	return {
		functions: once(declared(FUNCTION)).filter((mark) => isFindable(mark) && isShort(files, mark)),
		shared: once(declared(DECLARATION)).filter(
			(mark) => isFindable(mark) && (words.get(mark.name)?.paths.length ?? 0) > 1,
		),
		open: fit.filter(([, text]) => IMPORT.test(text)).map(([path]) => path),
		modules: fit.filter(([, text]) => /^module\.exports = \{\n {2}\w/m.test(text)).map(([path]) => path),
	};
}

/** The landmarks whose name is declared at one place only. */
function once(marks: readonly Landmark[]): readonly Landmark[] {
	const counts = new Map<string, number>();
	for (const { name } of marks) counts.set(name, (counts.get(name) ?? 0) + 1);
	return marks.filter(({ name }) => counts.get(name) === 1);
}

function isShort(files: Files, { name, path }: Landmark): boolean {
	const body = bodyOf(files.get(path) ?? "", name);
	return body !== undefined && body.split("\n").length <= MAX_FUNCTION_LENGTH;
}

/** The text of a function at the top level, from its first line to the brace that ends it. */
export function bodyOf(text: string, name: string): string | undefined {
	return new RegExp(`^(?:export )?(?:async )?function ${name} ?\\([\\s\\S]*?\\n}$`, "m").exec(text)?.[0];
}

/** The files that mention a word, in the order of their paths. */
export function mentionsOf(files: Files, word: string): readonly string[] {
	const pattern = new RegExp(`\\b${word}\\b`);
	return [...files].flatMap(([path, text]) => (text.includes(word) && pattern.test(text) ? [path] : []));
}

interface Uses {
	readonly paths: string[];
	lines: number;
}

function countWords(files: Files): ReadonlyMap<string, Uses> {
	const words = new Map<string, Uses>();
	for (const [path, text] of files) {
		for (const line of text.split("\n")) {
			for (const word of new Set(line.match(WORD) ?? [])) {
				const uses = words.get(word) ?? { paths: [], lines: 0 };
				if (uses.paths.at(-1) !== path) uses.paths.push(path);
				uses.lines += 1;
				words.set(word, uses);
			}
		}
	}
	return words;
}
