import fc from "fast-check";
import { expect, test } from "vitest";
import { CwlError } from "#pi";
import { createScratch } from "../../workspace/test-support/scratch.ts";
import { type Recording, recordings, shortConversations } from "../test-support/recordings.ts";
import { damages, outline, useSessionFolder } from "../test-support/session-folder.ts";
import { readSession } from "./registry.ts";

const { readDocument, readLines } = useSessionFolder();

function read({ lines, document }: Recording, change = (value: unknown) => value) {
	return lines ? readLines(...lines.map(change)) : readDocument(change(document));
}

test.each(recordings)("$format: $name", async ({ format, reads, damage = [], session = {}, ...file }) => {
	const recorded = await read({ format, reads, ...file });
	expect(outline(recorded)).toEqual(reads);
	expect(damages(recorded)).toEqual(damage);
	expect(recorded).toMatchObject({ format, ...session });
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

test.each(shortConversations)(
	"whatever is damaged in a $format file, it is read or refused",
	async (sample) => {
		await fc.assert(
			fc.asyncProperty(fc.nat(), fc.jsonValue({ maxDepth: 2 }), async (choice, put) => {
				const lines = sample.lines?.length ?? 1;
				let line = 0;
				const changed = read(sample, (value) =>
					line++ === choice % lines ? damage(value, choice, put) : value,
				);
				const outcome = await changed.catch((error: unknown) => error);
				if (outcome instanceof Error) expect(outcome).toBeInstanceOf(CwlError);
				else expect(outcome).toHaveProperty("messages");
			}),
			{ numRuns: 100 },
		);
	},
);

const greeting = [{ source: "user", message: "go" }];
const trajectory = { schema_version: "ATIF-v1.4", steps: greeting };

const documents = shortConversations.flatMap(({ format, document }) =>
	document === undefined || Array.isArray(document) ? [] : [[format, Object(document)] as const],
);

test.each(documents)("a document of %s is read from its own list", async (format, document) => {
	const session = await readDocument({ history: ["?"], events: ["?"], ...document });
	expect(session).toMatchObject({ format, damage: [] });
	expect(session.messages).toHaveLength(4);
});

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

test("a folder of sessions is no session, and the reason says so", async () => {
	await expect(readSession(createScratch())).rejects.toMatchObject({
		code: "unknown-format",
		message: expect.stringMatching(/: a folder, .*; name one session file\.$/),
	});
});
