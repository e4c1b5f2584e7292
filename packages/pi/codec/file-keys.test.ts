import { expect, test } from "vitest";
import { digestArguments, digestOutput } from "./digest.ts";

const keys = (args: Readonly<Record<string, unknown>>, cwd = "/home/ann/repo") =>
	digestArguments(args, cwd).paths;

test("a file at the root of the workspace has one key, relative or absolute", () => {
	const absolute = keys({ path: "/home/ann/repo/settings.toml" });
	expect(absolute).toEqual(["repo/settings.toml"]);
	expect(keys({ path: "settings.toml" })).toEqual(absolute);
	expect(keys({ path: "./settings.toml" })).toEqual(absolute);
	expect(keys({ command: "sed -n 1,20p settings.toml" })).toEqual(absolute);
	expect(keys({ path: "src/../settings.toml" })).toEqual(absolute);
});

test("files of one name in two folders have two keys", () => {
	expect(keys({ path: "packages/core/index.ts" })).not.toEqual(keys({ path: "packages/pi/index.ts" }));
});

test("a command that changes the folder first names files from there", () => {
	const absolute = keys({ path: "/home/ann/repo/packages/core/session.ts" });
	expect(keys({ command: "cd packages/core && cat session.ts" })).toEqual(absolute);
	expect(keys({ command: "cd '/home/ann/repo/packages/core'; cat session.ts" })).toEqual(absolute);
	expect(keys({ command: "cat session.ts", workdir: "/home/ann/repo/packages/core" })).toEqual(absolute);
	expect(keys({ command: "cat session.ts", workdir: "packages/core" })).toEqual(absolute);
});

test("without a known folder, a path is its last two components", () => {
	expect(keys({ path: "settings.toml" }, "")).toEqual(["settings.toml"]);
	expect(keys({ path: "/a/b/c.ts" }, "")).toEqual(["b/c.ts"]);
});

test("an output names files from the workspace", () => {
	expect(digestOutput("settings.toml: 3 errors", "/home/ann/repo").paths).toEqual(["repo/settings.toml"]);
});
