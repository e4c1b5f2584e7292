import { expect, test } from "vitest";
import {
	BULK_TOKENS,
	commandText,
	defaultToolTable,
	effectOf,
	isReadOnlyCommand,
	outputClass,
	showsFiles,
	type ToolTable,
	traitsOf,
} from "./tool-table.ts";

test.each([
	"ls",
	"ls -la src | head -20",
	"  cat a.ts ; tail -n 5 b.ts",
	"cd packages/core && rg -n 'foo > bar' .",
	'grep -rn "a; rm -rf /" . || true',
	"git status",
	"git --no-pager log --oneline | head",
	"git diff HEAD~1 -- src/a.ts",
	"sed -n '1,20p' a.ts",
	"find . -name '*.ts' -type f 2>/dev/null | wc -l",
	"cat a.ts 2>&1",
	"cat a.ts >/dev/null",
	"LANG=C sort names | uniq -c",
	"/usr/bin/env",
	"/bin/ls",
	"echo 'it costs $(nothing) and `nothing`'",
	"env LANG=C sort names",
	"ls\ncat a.ts\n",
	"",
])("%j only looks", (command) => {
	expect(isReadOnlyCommand(command)).toBe(true);
});

test.each([
	"rm -rf build",
	"ls; rm a",
	"ls && npm test",
	"cat a.ts | tee b.ts",
	"echo hi > a.ts",
	"cat a.ts >> b.ts",
	"cat <<EOF > a.ts\nls\nEOF",
	"sed -i s/a/b/ a.ts",
	"sed -n -i p a.ts",
	"sed -n --in-place p a.ts",
	"sed s/a/b/ a.ts",
	"git commit -m 'ls'",
	"git",
	"git checkout main",
	"ls $(rm a)",
	"ls `rm a`",
	'echo "$(rm a)"',
	'echo "`rm a`"',
	"FOO=1 make",
	"env FOO=1 make",
	"env rm a",
	"find . -name '*.o' -delete",
	"find . -name '*.o' -exec rm {} +",
	"find . -execdir rm {} ;",
	"python -c 'print(1)'",
	"ls | xargs rm",
	"ls\nrm a",
	"sleep 1 & rm a",
])("%j may change things", (command) => {
	expect(isReadOnlyCommand(command)).toBe(false);
});

test("names are compared in lower case", () => {
	expect(traitsOf(defaultToolTable, "Grep")).toBe(traitsOf(defaultToolTable, "grep"));
	expect(outputClass(defaultToolTable, { tool: "READ", arguments: {} }, 0)).toBe("intermediate");
});

test.each(["__proto__", "constructor", "toString", "mystery"])("%s has no row", (tool) => {
	expect(traitsOf(defaultToolTable, tool)).toBeUndefined();
});

test("a tool with a row keeps its class whatever its size", () => {
	expect(outputClass(defaultToolTable, { tool: "grep", arguments: {} }, 0)).toBe("bulk");
	expect(outputClass(defaultToolTable, { tool: "read", arguments: {} }, 100 * BULK_TOKENS)).toBe(
		"intermediate",
	);
	expect(outputClass(defaultToolTable, { tool: "edit", arguments: {} }, 100 * BULK_TOKENS)).toBe("record");
});

test("a tool without a row is judged by the size of what it returned", () => {
	expect(outputClass(defaultToolTable, { tool: "mystery", arguments: {} }, BULK_TOKENS)).toBe("bulk");
	expect(outputClass(defaultToolTable, { tool: "mystery", arguments: {} }, BULK_TOKENS - 1)).toBe(
		"intermediate",
	);
});

test("a row without a class leaves the class to the size", () => {
	const table: ToolTable = { mystery: { effect: "writes" } };
	expect(outputClass(table, { tool: "mystery", arguments: {} }, BULK_TOKENS)).toBe("bulk");
	expect(effectOf(table, "mystery", {})).toBe("writes");
});

test("a call reads, writes or only talks", () => {
	const effect = (tool: string, args = {}) => effectOf(defaultToolTable, tool, args);
	expect(effect("read")).toBe("reads");
	expect(effect("edit")).toBe("writes");
	expect(effect("delimiter")).toBe("none");
	expect(effect("mystery")).toBe("reads");
	expect(effect("bash", { command: "ls" })).toBe("reads");
	expect(effect("bash", { command: "rm a" })).toBe("writes");
	expect(effect("bash", {})).toBe("writes");
	expect(effect("bash", { command: 7 })).toBe("writes");
});

test("the command is found under the names that agents give it", () => {
	for (const key of ["command", "cmd", "script", "input"])
		expect(commandText({ [key]: "ls -l" })).toBe("ls -l");
	expect(commandText({ command: ["bash", "-lc", "ls -l"] })).toBe("ls -l");
	expect(commandText({ command: ["sh", "-c", "ls -l"] })).toBe("ls -l");
	expect(commandText({ command: ["ls", "-l"] })).toBe("ls -l");
	expect(commandText({ command: ["git", "log", "-1"] })).toBe("git log -1");
	expect(commandText({ command: ["sh", "-c"] })).toBe("sh -c");
	expect(commandText({ command: ["ls", 1] })).toBeUndefined();
	expect(commandText({})).toBeUndefined();
});

test("an editor that views only looks, and what it shows is no record", () => {
	const editor = (args: object) => ({ tool: "str_replace_editor", arguments: { ...args } });
	const effect = ({ tool, arguments: args }: ReturnType<typeof editor>) =>
		effectOf(defaultToolTable, tool, args);
	const [view, change] = [editor({ command: "view", path: "a" }), editor({ command: "str_replace" })];
	expect([effect(view), effect(change), effect(editor({}))]).toEqual(["reads", "writes", "writes"]);
	expect(outputClass(defaultToolTable, view, 0)).toBe("intermediate");
	expect(outputClass(defaultToolTable, change, 100 * BULK_TOKENS)).toBe("record");
	expect(showsFiles(defaultToolTable, view.tool, view.arguments)).toBe(true);
	expect(showsFiles(defaultToolTable, change.tool, change.arguments)).toBe(false);
});

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

test.each([
	["read", {}, true],
	["grep", {}, false],
	["edit", {}, false],
	["bash", { command: "cat a.ts" }, true],
	["bash", { command: "cd src && sed -n 1,9p a.ts" }, true],
	["bash", { command: "make test" }, false],
	["bash", {}, false],
	["unknown", {}, false],
] as const)("%s with %j shows the content of files: %j", (tool, args, shows) => {
	expect(showsFiles(defaultToolTable, tool, args)).toBe(shows);
});

test("the output of an unknown tool is bulk from 400 tokens on", () => {
	const asked = { tool: "unknown", arguments: {} };
	expect(outputClass(defaultToolTable, asked, 399)).toBe("intermediate");
	expect(outputClass(defaultToolTable, asked, 400)).toBe("bulk");
});
