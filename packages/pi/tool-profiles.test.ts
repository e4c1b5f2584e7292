import { expect, test } from "vitest";
import { effectOf, traitsOf } from "#core/transcript";
import { defaultToolTable, readScriptCalls } from "./tool-profiles.ts";

test.each([
	["reads", ["Read", "Grep", "Glob", "WebFetch", "read_file", "search_file_content", "list_dir", "open"]],
	["writes", ["Edit", "MultiEdit", "Write", "apply_patch", "replace", "write_file", "create"]],
	["none", ["TodoWrite", "update_plan", "write_todos", "finish", "submit", "think", "BashOutput"]],
])("of the tools of other agents these are known as %j: %j", (effect, tools) => {
	for (const tool of tools) {
		expect([tool, traitsOf(defaultToolTable, tool)?.effect]).toEqual([tool, effect]);
	}
});

test.each([
	...["Bash", "exec_command"].flatMap((tool) => [
		[tool, { command: "ls" }, "reads"] as const,
		[tool, { command: "make" }, "writes"] as const,
	]),
	["bash", { command: "grep -rn 'tools.run(' src" }, "reads"],
	["write_stdin", { chars: "", session_id: 1 }, "reads"],
	["write_stdin", { chars: "y\n" }, "writes"],
	["exec", { input: 'tools.write_stdin({chars:""})' }, "reads"],
	["exec", { input: 'const r = await tools.exec_command({cmd:"ls"}); text(r.output);' }, "reads"],
	["exec", { input: 'tools.exec_command({cmd:"ls"}); tools.exec_command({cmd:"make"})' }, "writes"],
	["exec", { input: 'tools.exec_command({cmd:"ls"}); await tools.apply_patch(patch)' }, "writes"],
	["exec", { input: "await tools.update_plan({plan})" }, "none"],
	["exec", { input: 'await tools.update_plan({plan}); tools.exec_command({cmd:"ls"})' }, "reads"],
] as const)("%s with %j does what the strongest of its commands does: %s", (tool, args, effect) => {
	expect(effectOf(defaultToolTable, tool, args)).toBe(effect);
});

test.each([
	['await tools.exec_command({cmd:"ls -l"})', ["ls -l"]],
	["await tools.exec_command({ 'cmd': 'ls -l' })", ["ls -l"]],
	['tools.exec_command({"cmd" : "echo \\"a\\"\\nls"})', ['echo "a"\nls']],
	["tools.exec_command({cmd:`ls\n-l`})", ["ls\n-l"]],
	[
		'const cmds = ["git status -sb", "rg foo src"]; for (const cmd of cmds) await tools.exec_command({cmd})',
		["git status -sb", "rg foo src"],
	],
	["tools.exec_command({cmd: make()})", [undefined]],
	['tools.exec_command({cmd:"ls"}); tools.exec_command(other)', ["ls", undefined]],
])("the commands of %j are %j, as far as they are known", (script, commands) => {
	const calls = readScriptCalls(script) ?? [];
	expect(calls.map(({ tool, arguments: args }) => [tool, args.cmd])).toEqual(
		commands.map((command) => ["exec_command", command]),
	);
});

test.each([
	["await tools.apply_patch(p); tools.view_image({})", ["apply_patch", "view_image"]],
	['grep -rn "exec_command" src', undefined],
	["", undefined],
])("%j calls %j", (script, tools) => {
	expect(readScriptCalls(script)?.map(({ tool }) => tool)).toEqual(tools);
});
