import { expect, test } from "vitest";
import { commandText, isReadOnlyCommand, isViewingCommand } from "./shell-command.ts";

const looks = `ls
ls -la src | head -20
  cat a.ts ; tail -n 5 b.ts
cd packages/core && rg -n 'foo > bar' .
grep -rn "a; rm -rf /" . || true
git status
git --no-pager log --oneline | head
git diff HEAD~1 -- src/a.ts
sed -n '1,20p' a.ts
find . -name '*.ts' -type f 2>/dev/null | wc -l
cat a.ts 2>&1
cat a.ts >/dev/null
LANG=C sort names | uniq -c
/usr/bin/env
/bin/ls
env LANG=C sort names`;

test.each([...looks.split("\n"), "echo 'it costs $(nothing) and `nothing`'", "ls\ncat a.ts\n", ""])(
	"%j only looks",
	(command) => {
		expect(isReadOnlyCommand(command)).toBe(true);
	},
);

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

test("a command shows files wherever the program that prints them stands", () => {
	for (const command of ["cat a.ts", "cd src && sed -n 1,9p a.ts", "ls; git show HEAD", "ls a\ntail -3 b"])
		expect(isViewingCommand(command), command).toBe(true);
	for (const command of ["ls", "cat", "mycat a.ts", "sed s/a/b/ a.ts", "git log -1"])
		expect(isViewingCommand(command), command).toBe(false);
});

test("no command makes it slow", () => {
	for (const unit of ["\n", " ", '\\"', "'", "A=1 ", ";\n"]) {
		const command = `x${unit.repeat(200_000)}`;
		expect(isReadOnlyCommand(command)).toBe(unit === "A=1 ");
		expect(isViewingCommand(command)).toBe(false);
	}
});
