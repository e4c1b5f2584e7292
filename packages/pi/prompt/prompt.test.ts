import { expect, test } from "vitest";
import { assemblePrompt, basePrompt, type PromptOptions } from "./prompt.ts";

const everything: PromptOptions = {
	cwd: "/home/me/project",
	customPrompt: "Speak like a pirate.",
	appendSystemPrompt: "Never touch the vendor folder.",
	contextFiles: [
		{ path: "/home/me/AGENTS.md", content: "\nUse tabs.\n\n  - indented: <b>&amp;</b> $1 $& `x`\n" },
		{ path: "/home/me/project/AGENTS.md", content: "# Project\n\nUse spaces." },
	],
	skills: "\n\n<available_skills>\n</available_skills>",
};

test("the user's prompt stands first, then ours, appended text, project files, skills, working directory", () => {
	expect(basePrompt()).toBe(basePrompt().trim());
	expect(assemblePrompt(everything)).toBe(
		[
			"Speak like a pirate.",
			basePrompt(),
			"Never touch the vendor folder.",
			"# Project instructions",
			"## /home/me/AGENTS.md",
			"Use tabs.\n\n  - indented: <b>&amp;</b> $1 $& `x`",
			"## /home/me/project/AGENTS.md",
			"# Project\n\nUse spaces.",
			"<available_skills>\n</available_skills>",
			"Working directory: /home/me/project",
		].join("\n\n"),
	);
});

test.each<PromptOptions>([
	{ cwd: "/w" },
	{ cwd: "/w", customPrompt: "", appendSystemPrompt: "", contextFiles: [], skills: " \n" },
	{ cwd: "\\w", customPrompt: undefined, contextFiles: undefined, skills: undefined },
])(
	"what is absent or empty leaves no trace, and the working directory is written with slashes",
	(options) => {
		expect(assemblePrompt(options)).toBe(`${basePrompt()}\n\nWorking directory: /w`);
	},
);

test("says nothing about marks where the tool for them is missing, and what a line for evicted work is", () => {
	const prompt = assemblePrompt({ cwd: "/w", selectedTools: ["read", "recall"] });
	expect(prompt).not.toMatch(/delimiter|`expl`|`act`/);
	expect(prompt).toContain("Your history is kept under a token budget.\n\n- A line like `[expl");
	const marking = assemblePrompt({ cwd: "/w", selectedTools: ["read", "delimiter"] });
	expect(marking).toBe(assemblePrompt({ cwd: "/w" }));
});
