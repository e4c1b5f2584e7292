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

test.each(["Bash", "shell", "exec_command", "run_shell_command", "execute_bash", "terminal"])(
	"the command of %s decides",
	(tool) => {
		expect(effectOf(defaultToolTable, tool, { command: "ls" })).toBe("reads");
		expect(effectOf(defaultToolTable, tool, { command: "make" })).toBe("writes");
	},
);

test("a script does what the strongest of its calls does", () => {
	const effect = (input: string) => effectOf(defaultToolTable, "exec", { input });
	const looks = 'tools.exec_command({cmd:"ls"})';
	expect(effect(`const r = await ${looks}; text(r.output);`)).toBe("reads");
	expect(effect(`${looks}; tools.exec_command({cmd:"make"})`)).toBe("writes");
	expect(effect(`${looks}; await tools.apply_patch(patch)`)).toBe("writes");
	expect(effect("await tools.update_plan({plan})")).toBe("none");
	expect(effect(`await tools.update_plan({plan}); await ${looks}`)).toBe("reads");
	expect(effectOf(defaultToolTable, "bash", { command: "grep -rn 'tools.run(' src" })).toBe("reads");
});

test("waiting for a command changes nothing, and typing into it may", () => {
	expect(effectOf(defaultToolTable, "write_stdin", { chars: "", session_id: 1 })).toBe("reads");
	expect(effectOf(defaultToolTable, "write_stdin", { chars: "y\n" })).toBe("writes");
	expect(effectOf(defaultToolTable, "exec", { input: 'tools.write_stdin({chars:""})' })).toBe("reads");
});

function commandsOf(script: string): readonly unknown[] | undefined {
	return readScriptCalls(script)?.map(({ arguments: args }) => args.cmd);
}

test.each([
	['await tools.exec_command({cmd:"ls -l"})', "ls -l"],
	["await tools.exec_command({ 'cmd': 'ls -l' })", "ls -l"],
	['tools.exec_command({"cmd" : "echo \\"a\\"\\nls"})', 'echo "a"\nls'],
	["tools.exec_command({cmd:`ls\n-l`})", "ls\n-l"],
])("the command of %j", (script, command) => {
	expect(readScriptCalls(script)).toEqual([{ tool: "exec_command", arguments: { cmd: command } }]);
});

test("commands that a script goes through in a loop", () => {
	const script =
		'const cmds = ["git status -sb", "rg foo src"]; for (const cmd of cmds) await tools.exec_command({cmd})';
	expect(commandsOf(script)).toEqual(["git status -sb", "rg foo src"]);
});

test("a command that is made as the script runs is not known", () => {
	expect(commandsOf("tools.exec_command({cmd: make()})")).toEqual([undefined]);
	expect(commandsOf('tools.exec_command({cmd:"ls"}); tools.exec_command(other)')).toEqual(["ls", undefined]);
});

test("other tools are named, and other texts are no scripts", () => {
	expect(
		readScriptCalls("await tools.apply_patch(p); tools.view_image({})")?.map(({ tool }) => tool),
	).toEqual(["apply_patch", "view_image"]);
	expect(readScriptCalls('grep -rn "exec_command" src')).toBeUndefined();
	expect(readScriptCalls("")).toBeUndefined();
});
