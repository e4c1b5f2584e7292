import fc from "fast-check";
import { expect, test } from "vitest";
import { CwlError } from "#pi/errors.ts";
import { outline, useSessionFolder } from "../test-support/session-folder.ts";
import { type Conversation, type Step, type Written, writers } from "../test-support/written-sessions.ts";
import type { RecordedSession } from "./session-reader.ts";

const { readDocument, readLines } = useSessionFolder();

function read(written: Written): Promise<RecordedSession> {
	return written.type === "lines" ? readLines(...written.lines) : readDocument(written.document);
}

/** With a letter, so that no reader takes it for nothing. */
const words = fc.string({ maxLength: 40 }).map((text) => `w${text}`);
const name = fc.constantFrom("Read", "bash", "edit", "apply_patch");

interface Draft {
	readonly thought: string;
	readonly said: string;
	readonly calls: readonly Omit<Step["calls"][number], "id">[];
}

const draft: fc.Arbitrary<Draft> = fc.record({
	thought: words,
	said: words,
	calls: fc.array(fc.record({ name, args: fc.dictionary(words, words, { maxKeys: 2 }), output: words }), {
		minLength: 1,
		maxLength: 3,
	}),
});

const conversation: fc.Arbitrary<Conversation> = fc
	.record({ task: words, steps: fc.array(draft, { maxLength: 4 }), end: words })
	.map(({ task, steps, end }) => ({
		task,
		end,
		steps: steps.map((step, n) => ({
			...step,
			calls: step.calls.map((call, i) => ({ ...call, id: `t${n}-${i}` })),
		})),
	}));

function expected({ task, steps, end }: Conversation): readonly string[] {
	return [
		`user: ${task}`,
		...steps.flatMap(({ thought, said, calls }) => [
			`assistant: ${[`(${thought})`, said, ...calls.map(({ id, name: tool, args }) => `${tool}#${id} ${JSON.stringify(args)}`)].join(" | ")}`,
			...calls.map(({ id, name: tool, output }) => `toolResult: ${tool}#${id} ${output}`),
		]),
		`assistant: ${end}`,
	];
}

const formats = Object.entries(writers);

test.each(formats)("a conversation recorded as %s is read as it was", async (format, write) => {
	await fc.assert(
		fc.asyncProperty(conversation, async (held) => {
			const session = await read(write(held));
			expect(session).toMatchObject({ format, damage: [] });
			expect(outline(session)).toEqual(expected(held));
		}),
		{ numRuns: 30 },
	);
});

/** Put a value in place of one inside of another; `choice` says which. */
function damage(value: unknown, choice: number, put: unknown): unknown {
	if (typeof value !== "object" || value === null) return put;
	const entries = Object.entries(value);
	const at = entries[choice % (entries.length + 1)];
	if (!at) return put;
	const [key, inner] = at;
	const changed = damage(inner, Math.floor(choice / (entries.length + 1)), put);
	return Array.isArray(value) ? value.with(Number(key), changed) : { ...value, [key]: changed };
}

test.each(formats)("whatever is damaged in a %s file, it is read or refused", async (_, write) => {
	await fc.assert(
		fc.asyncProperty(conversation, fc.nat(), fc.jsonValue({ maxDepth: 2 }), async (held, choice, put) => {
			const written = write(held);
			const changed =
				written.type === "lines"
					? readLines(
							...written.lines.map((line, i) =>
								i === choice % written.lines.length ? damage(line, choice, put) : line,
							),
						)
					: readDocument(damage(written.document, choice, put));
			const outcome = await changed.catch((error: unknown) => error);
			if (outcome instanceof Error) expect(outcome).toBeInstanceOf(CwlError);
			else expect(outcome).toHaveProperty("messages");
		}),
		{ numRuns: 100 },
	);
});

const greeting = [{ source: "user", message: "go" }];
const trajectory = { schema_version: "ATIF-v1.4", steps: greeting };

test("a document is one on a line of its own as on many", async () => {
	expect(outline(await readLines(trajectory))).toEqual(["user: go"]);
	expect(outline(await readDocument(trajectory))).toEqual(["user: go"]);
	expect(outline(await readLines(`\uFEFF${JSON.stringify(trajectory)}`))).toEqual(["user: go"]);
});

test("a document that was cut off is refused with its file and the reason", async () => {
	const cut = JSON.stringify(trajectory, null, 2).slice(0, -4);
	await expect(readLines(cut)).rejects.toMatchObject({
		code: "damaged-document",
		message: expect.stringMatching(/session\.any: .*leave it out/),
	});
});

test.each([["plain text"], [{ name: "package" }], [[1, 2]], [{ messages: [] }], [""]])(
	"%j is no session",
	async (content) => {
		await expect(readLines(content)).rejects.toMatchObject({ code: "unknown-format" });
	},
);
