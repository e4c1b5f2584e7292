/**
 * The description of each tool for the model. These words are sent with every request, so they are as few as possible:
 * `cwl doctor` counts them, and a test holds prompt and tools together to 900 tokens on the wire.
 */

const string = { type: "string" };
const number = { type: "number" };
const boolean = { type: "boolean" };

/** The parameters are JSON Schema, as plain data: every host version takes it. Those that are required come first. */
function words<Name extends string>(
	name: Name,
	description: string,
	needed: Readonly<Record<string, unknown>>,
	more: Readonly<Record<string, unknown>> = {},
) {
	const parameters = {
		type: "object" as const,
		properties: { ...needed, ...more },
		required: Object.keys(needed),
	};
	return { name, description, parameters };
}

export const toolWords = {
	delimiter: words(
		"delimiter",
		"Mark where an episode starts or ends.",
		{ action: { type: "string", enum: ["start", "end"] } },
		{
			name: string,
			type: { type: "string", enum: ["expl", "act"] },
			dependencies: { type: "array", items: string },
			description: {
				type: "string",
				description: "end expl: what was learned; Decided:, To do:, Open:, Done:",
			},
			keep: { type: "boolean", description: "on end: evict last" },
		},
	),
	recall: words(
		"recall",
		"Give back evicted text by episode name, handle, path or words.",
		{ query: string },
		{ page: number },
	),
	glob: words("glob", "List files by pattern.", { pattern: string }, { path: string, limit: number }),
	grep: words(
		"grep",
		"Search file contents by regex.",
		{ pattern: string },
		{
			path: string,
			glob: string,
			ignoreCase: boolean,
			literal: boolean,
			context: number,
			mode: { type: "string", enum: ["lines", "files", "count"] },
			limit: number,
		},
	),
	read: words(
		"read",
		"Read a text file or image.",
		{ path: string },
		{ offset: { type: "number", description: "from 1" }, limit: number },
	),
	bash: words(
		"bash",
		"Run a shell command.",
		{ command: string },
		{ timeout: { type: "number", description: "seconds" } },
	),
	edit: words("edit", "Replace text in a file: each oldText must match exactly once.", {
		path: string,
		edits: {
			type: "array",
			items: {
				type: "object",
				properties: { oldText: string, newText: string },
				required: ["oldText", "newText"],
			},
		},
	}),
	write: words("write", "Create or overwrite a file.", { path: string, content: string }),
} as const;

/** The JSON of all tools as it is sent, without the provider's wrapper. */
export function toolText(
	tools: readonly Readonly<Record<"name" | "description" | "parameters", unknown>>[],
): string {
	return JSON.stringify(
		tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
	);
}
