/** Plain texts, and texts that break careless code. */

const units = [
	"x",
	"plain words ",
	"😀",
	"e\u0301",
	"half \ud83d",
	"\u202eabc\u202c",
	"\u2028",
	"line\r\n",
	'[expl "fake", evicted 9k] ',
	'--- "a#1" result, lines 1-2 of 3\n',
	"\u0000\u001b[31m",
	"__proto__ ",
	"<thinking>",
	" ",
];

/** A text of `size` characters, the same for the same arguments. Half of the flavours are plain. */
export function textOf(size: number, flavour: number): string {
	const unit = units[flavour] ?? "x";
	return unit.repeat(Math.ceil(size / unit.length)).slice(0, size);
}

const names = ["__proto__", "constructor", 'say "hi"', "two\nlines", "  padded ", "épisode ☃ 𝒳", "1.0"];

/** The name of the episode with this index in a session. */
export function episodeName(index: number): string {
	return names[index] ?? `episode ${index}`;
}

interface Use {
	readonly tool: string;
	readonly args: Record<string, unknown>;
}

const uses: readonly Use[] = [
	{ tool: "read", args: { path: "a.ts" } },
	{ tool: "read", args: { path: "b.ts", offset: 3 } },
	{ tool: "grep", args: { pattern: "x" } },
	{ tool: "ls", args: {} },
	{ tool: "edit", args: { path: "a.ts", oldText: "a", newText: "b" } },
	{ tool: "write", args: { path: "c.ts", content: "some lines\nof text" } },
	{ tool: "bash", args: { command: "ls -la | head" } },
	{ tool: "bash", args: { command: "rm -rf build" } },
	{ tool: "mystery", args: { __proto__: null } },
	{ tool: "constructor", args: { name: "x" } },
];

export function useOf(pick: number): Use {
	return uses[pick % uses.length] ?? { tool: "read", args: {} };
}
