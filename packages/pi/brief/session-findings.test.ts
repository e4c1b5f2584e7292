import fc from "fast-check";
import { expect, test } from "vitest";
import { foldTranscript } from "#core/graph";
import * as draft from "../../core/test-support/message-builders.ts";
import "../../core/test-support/property-seed.ts";
import type { HostMessage } from "../codec/host-message.ts";
import { FILES_ENTRY } from "../files/manifest.ts";
import { defaultToolTable } from "../tool-profiles.ts";
import { mergeMemory } from "./merge-memory.ts";
import { isSecretFile } from "./secret-files.ts";
import { findingsOf } from "./session-findings.ts";

function found(name: string, description: string, file = "src/a.ts", cwd = "/w", goal = "") {
	const drafts = [
		draft.person(),
		draft.model(draft.startExpl("s", name), draft.call("r", "read", { path: file })),
		...[draft.result("s"), draft.result("r")],
		draft.model(draft.end("e", description)),
		draft.result("e"),
	];
	const messages = drafts.map(
		(_, index): HostMessage => ({ role: "user", content: "x", timestamp: index * 1_000 }),
	);
	const graph = foldTranscript(draft.build(drafts), defaultToolTable);
	const files = {
		"src/a.ts": "12:0123456789abcdef0123456789abcdef",
		"/etc/passwd": "1:ab",
		".env": "1:ab",
	};
	const branch = [{ type: "custom", customType: FILES_ENTRY, data: { files } }];
	return findingsOf({ session: "s1", cwd, root: "/w", graph, messages, branch, goal });
}

test.each([
	["ship  it\non Thursday", "ship it on Thursday"],
	["", ""],
	["use AKIAABCDEFGHIJKLMNOP", ""],
	["x".repeat(500), "x".repeat(120)],
])("the goal %j goes with a finding as %j", (goal, kept) => {
	expect(found("find-a", "A.", "src/a.ts", "/w", goal).findings[0]?.goal).toBe(kept);
});

test("a finding has its decisions and its text without other marked lines, its files by name and short hash, and its time", () => {
	expect(found("find-a", "A is in /w/src/a.ts.\nTask: port it\nDecided: keep it\nTo do: tests")).toEqual({
		session: "s1",
		findings: [
			{
				name: "find-a",
				text: "Decided: keep it\nA is in src/a.ts.",
				at: "1970-01-01T00:00:05.000Z",
				goal: "",
				files: new Map([["src/a.ts", "12:0123456789ab"]]),
			},
		],
	});
});

test.each([
	["src/a.ts", "/w", ["src/a.ts"]],
	["../src/a.ts", "/w/docs", []],
	["/etc/passwd", "/w", []],
])(
	"the file %s is named from %s as %j: none that is outside of the repository or unknown",
	(file, cwd, names) => {
		expect([...(found("find-a", "A.", file, cwd).findings[0]?.files.keys() ?? [])]).toEqual(names);
	},
);

test.each([
	"-----BEGIN OPENSSH PRIVATE KEY-----",
	"the password is hunter2!",
	"use 0123456789abcdef0123456789abcdef01234567",
	"hook https://hooks.slack.com/services/T0/B0/abc",
])("a line with a secret is left out: %s", (line) => {
	const { findings } = found("find-a", `The port is 80.\n${line}\nDecided: ${line}`);
	expect(findings.map(({ text }) => text)).toEqual(["The port is 80."]);
});

test.each([
	"parse(token: string) returns the password field",
	"skipWhitespace and skeletonOfPages are in src/a.ts",
	"convert-axios-to-fetch-in-user-service-2 is done",
])("a line without one stays: %s", (line) => {
	expect(found("find-a", line).findings.map(({ text }) => text)).toEqual([line]);
});

test("nothing is taken from an episode that worked on a file of secrets", () => {
	expect(found("find-a", "The port is 80.", ".env").findings).toEqual([]);
	const secret = "config/.env.local a/id_rsa .ssh/config server.pem .npmrc prod.env secrets.yaml".split(" ");
	const plain = "src/env.ts .env.example docs/secrets.md.txt key.ts a.public".split(" ");
	expect([...secret, ...plain].filter(isSecretFile)).toEqual(secret);
});

test("property: a secret in a name or a description never enters the memory", () => {
	const unit = fc.constantFrom(..."abcdefghijkABCDEFGHIJK0123456789");
	const secret = fc.tuple(
		fc.constantFrom(..."sk- sk-ant- ghp_ xoxb- AKIA AIza github_pat_ password= x://u:".split(" "), "Bearer "),
		fc.string({ unit, minLength: 24, maxLength: 40 }),
	);
	fc.assert(
		fc.property(secret, fc.string(), fc.string(), fc.boolean(), ([prefix, rest], before, after, isName) => {
			const text = `${before} ${prefix}${rest}${prefix.startsWith("x:") ? "@h" : ""} ${after}`;
			const findings = isName ? found(text, "The port is 80.") : found("find-a", `The port is 80.\n${text}`);
			expect(JSON.stringify(mergeMemory(undefined, [findings], new Map()).memory.pieces)).not.toContain(rest);
		}),
	);
});

const asked = (file: string, tokens: number) => [
	draft.person(),
	draft.model(draft.call("r", "read", { path: file })),
	draft.result("r", tokens),
	draft.model(draft.text(10, "The port is set in src/a.ts.")),
];

test.each([
	["short work", asked("src/a.ts", 10), 1],
	["work without its answer", asked("src/a.ts", 10).slice(0, 3), 0],
	["long work", asked("src/a.ts", 20_000), 1],
	["work on a file of secrets", asked(".env", 20_000), 0],
	["an answer without work", [draft.person(), draft.model(draft.text(10, "Hello."))], 0],
])("unmarked: %s counts with its answer", (_what, drafts, found) => {
	const graph = foldTranscript(draft.build(drafts), defaultToolTable);
	const sources = { session: "s1", cwd: "/w", root: "/w", messages: [], branch: [] };
	const texts = findingsOf({ ...sources, graph }).findings.map(({ text }) => text);
	expect(texts).toEqual(Array.from({ length: found }, () => "The port is set in src/a.ts."));
});
