/** The tools of a small coding agent, for tests. */
import type { ToolTable } from "../transcript/tool-table.ts";

const search = { effect: "reads", output: "bulk" } as const;
const reading = { effect: "reads", output: "intermediate" } as const;
const change = { effect: "writes", output: "record" } as const;

export const testTools: ToolTable = {
	delimiter: { effect: "none", output: "record" },
	read: reading,
	recall: reading,
	glob: search,
	grep: search,
	find: search,
	ls: search,
	bash: { effect: "command", output: "intermediate" },
	edit: change,
	write: change,
	str_replace_editor: { effect: "editor", output: "record" },
};
