import { expect, test } from "vitest";
import { readScriptCalls } from "./script-calls.ts";

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
