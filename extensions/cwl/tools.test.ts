import * as host from "@mariozechner/pi-coding-agent";
import { expect, test } from "vitest";
import { frame } from "#pi/prompt";
import { registerHostTools } from "./tools.ts";

host.initTheme("dark");

/** The definitions of pi's own tools as we register them. */
function hostToolsOf(): readonly host.ToolDefinition[] {
	const tools: host.ToolDefinition[] = [];
	const pi = { registerTool: (tool: host.ToolDefinition) => tools.push(tool) };
	registerHostTools(pi as unknown as host.ExtensionAPI);
	return tools;
}

test("what we attach to an output for the model is not shown as if the tool had printed it, and look-alikes are", () => {
	const tools = hostToolsOf();
	expect(tools.map(({ name }) => name)).toEqual(["read", "bash", "edit", "write"]);
	const note = frame("123456", "git-status", "branch main\nchanged 1: a.txt");
	const look = "<git-status>\nprinted by the tool\n</git-status>";
	const texts = [look, note].map((text) => ({ type: "text" as const, text }));
	const theme = { fg: (_tone: string, text: string) => text, bold: (text: string) => text };
	for (const { name, renderResult } of tools.filter(({ name }) => name === "bash" || name === "read")) {
		const context = { args: { path: "a.txt" }, state: {}, showImages: false, cwd: "/", expanded: true };
		const options = { expanded: true, isPartial: false };
		const result = { content: texts, details: undefined };
		const shown = renderResult?.(result, options, theme as never, context as never)
			.render(100)
			.join("\n");
		expect(shown, name).toContain("printed by the tool");
		expect(shown, name).not.toContain("changed 1: a.txt");
	}
});
