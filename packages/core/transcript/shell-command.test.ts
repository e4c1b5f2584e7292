import { expect, test } from "vitest";
import { commandText, isReadOnlyCommand, isViewingCommand } from "./shell-command.ts";
import examples from "./shell-command-examples.json" with { type: "json" };

test.each(examples.looks)("%j only looks", (command) => {
	expect(isReadOnlyCommand(command)).toBe(true);
});

test.each(examples.changes)("%j may change things", (command) => {
	expect(isReadOnlyCommand(command)).toBe(false);
});

test("the command is found under the names that agents give it", () => {
	for (const key of ["command", "cmd", "script", "input", "code", "chars"])
		expect(commandText({ [key]: "ls -l" })).toBe("ls -l");
	expect(commandText({ command: ["bash", "-lc", "ls -l"] })).toBe("ls -l");
	expect(commandText({ command: ["sh", "-c", "ls -l"] })).toBe("ls -l");
	expect(commandText({ command: ["ls", "-l"] })).toBe("ls -l");
	expect(commandText({ command: ["git", "log", "-1"] })).toBe("git log -1");
	expect(commandText({ command: ["sh", "-c"] })).toBe("sh -c");
	expect(commandText({ command: ["ls", 1] })).toBeUndefined();
	expect(commandText({})).toBeUndefined();
	expect(commandText({ command: "ls", cmd: "rm a", chars: "rm b" })).toBe("ls");
	expect(commandText({ command: ["bash", "-x", "ls -l"] })).toBe("bash -x ls -l");
});

test("a command shows files wherever the program that prints them is", () => {
	expect(examples.shows.filter((command) => !isViewingCommand(command))).toEqual([]);
	expect(examples.showsNothing.filter(isViewingCommand)).toEqual([]);
});

test("no command makes it slow", () => {
	for (const unit of ["\n", " ", '\\"', "'", "A=1 ", ";\n"]) {
		const command = `x${unit.repeat(200_000)}`;
		expect(isReadOnlyCommand(command)).toBe(unit === "A=1 ");
		expect(isViewingCommand(command)).toBe(false);
	}
});
