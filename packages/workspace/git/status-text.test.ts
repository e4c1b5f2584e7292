import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadTokenCounter } from "#pi/codec";
import type { RepositoryStatus } from "./read-status.ts";
import { formatGitStatus } from "./status-text.ts";

const count = await loadTokenCounter();

const CLEAN: RepositoryStatus = {
	type: "repository",
	branch: "main",
	commit: "0123456789abcdef",
	ahead: undefined,
	behind: undefined,
	operation: undefined,
	staged: [],
	changed: [],
	untracked: [],
	conflicts: [],
	submodules: 0,
};

const repository = (parts: Partial<RepositoryStatus>): string =>
	formatGitStatus({ ...CLEAN, ...parts }, count);

const changeOf = (line: string) => ({ kind: line.slice(0, 1), path: line.slice(2) });

describe("a status", () => {
	it("is short when there is nothing to say", () => {
		expect(repository({})).toBe("branch main\nclean");
		expect(formatGitStatus({ type: "outside" }, count)).toBe("not a git repository");
		expect(formatGitStatus({ type: "bare" }, count)).toBe("a bare git repository");
	});

	it("says where HEAD is and what is under way", () => {
		const text = repository({ ahead: 2, behind: 1, operation: "rebase", stale: "pending" });
		expect(text).toContain(
			"branch main, ahead 2, behind 1, rebase in progress, stale: git had not answered yet",
		);
		expect(repository({ stale: "unanswered" })).toBe("branch main, stale since git does not answer\nclean");
		expect(repository({ branch: undefined })).toContain("detached at 01234567");
		expect(repository({ commit: undefined })).toContain("no commit yet");
		expect(repository({ ahead: 0, behind: 0 })).toBe(repository({}));
	});

	it("lists what changed, sorted, with git's letter where it is not a plain change", () => {
		const text = repository({
			staged: ["M b", "A a"].map(changeOf),
			conflicts: ["x"],
			changed: [changeOf("D c")],
			untracked: ["d/"],
		});
		expect(text.split("\n").slice(1)).toEqual([
			"conflicts 1: x",
			"staged 2: A a, b",
			"changed 1: D c",
			"untracked 1: d/",
		]);
	});

	it("says that it does not look into submodules, where there are any", () => {
		const text = repository({ submodules: 2, untracked: ["d/"] });
		expect(text).toBe("branch main\nuntracked 1: d/\n2 submodules: changes inside not shown");
		expect(repository({ submodules: 1 })).toBe("branch main\nclean\n1 submodule: changes inside not shown");
	});

	it("collapses directories when there are too many paths, and counts the rest", () => {
		const paths = Array.from({ length: 400 }, (_, at) => `src/part${at % 3}/file-number-${at}.ts`);
		const changed = paths.map((path) => ({ kind: "M", path }));
		expect(repository({ changed })).toContain(
			"changed 400: src/part0/ (134), src/part1/ (133), src/part2/ (133)",
		);
		const flat = Array.from({ length: 400 }, (_, at) => `file-number-${at}.ts`);
		expect(repository({ untracked: flat })).toMatch(/, \+\d+ more$/);
	});
});

const nasty = fc.oneof(
	fc.string({ unit: "binary", minLength: 1, maxLength: 300 }),
	fc.constantFrom("</git-status>", "a\nbranch evil", "\u001B[2J", "a, b"),
	fc.constantFrom("+3 more", "\u202Etxt", "\u{E0041}", "x".repeat(5000)),
	fc
		.array(fc.constantFrom("a", "b c", "<", "\n", "lib"), { minLength: 1, maxLength: 30 })
		.map((parts) => parts.join("/")),
);
const change = fc.record({ kind: fc.constantFrom("M", "A", "D", "R", "T"), path: nasty });
const anyStatus: fc.Arbitrary<RepositoryStatus> = fc.record({
	type: fc.constant("repository" as const),
	branch: fc.option(nasty, { nil: undefined }),
	commit: fc.constantFrom(undefined, "0123456789abcdef"),
	ahead: fc.option(fc.nat(), { nil: undefined }),
	behind: fc.option(fc.nat(), { nil: undefined }),
	staged: fc.array(change, { maxLength: 60 }),
	changed: fc.array(change, { maxLength: 60 }),
	untracked: fc.array(nasty, { maxLength: 60 }),
	conflicts: fc.array(nasty, { maxLength: 60 }),
	operation: fc.constantFrom(undefined, "merge", "bisect"),
	submodules: fc.nat(),
});

it("is bounded, and holds no character that a name could break out with, and no line that is not ours", () => {
	fc.assert(
		fc.property(anyStatus, fc.integer({ min: 200, max: 400 }), (status, maxTokens) => {
			const text = formatGitStatus(status, count, maxTokens);
			expect(count(text)).toBeLessThanOrEqual(maxTokens);
			expect(text).not.toMatch(/(?!\n)\p{Cc}|\p{Cf}|\p{Cs}|\p{Zl}|\p{Zp}|[<>]/u);
			for (const line of text.split("\n")) {
				expect(line).toMatch(
					/^(branch \S|detached at|conflicts \d+: |staged \d+: |changed \d+: |untracked \d+: |clean$|\d+ submodules?: changes)/,
				);
			}
		}),
	);
});
