import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { fieldsOf } from "#basics";
import { PASS_ENTRY } from "#pi/session";
import { readSessionEntries } from "./test-support/session-entries.ts";
import { startWorkTrial } from "./test-support/work-trial.ts";

const nameOf = ({ role, content }: { readonly role?: unknown; readonly content?: unknown }) =>
	JSON.stringify([role, content]);

test("rule 18: the session file holds the whole history, whatever passes, people and pi's own compaction leave out", async () => {
	const trial = await startWorkTrial(2, 6, { api: "anthropic" });
	const pi = trial.rpc({ environment: { CWL_BUDGET: "24k" } });
	const [first = "", second = "", third = "", fourth = ""] = trial.prompts;
	const steps = [
		() => pi.prompt(first),
		() => pi.prompt(second),
		() => pi.command("/cwl evict"),
		() => pi.prompt(third),
		() => pi.command("/cwl undo"),
		() => pi.command("/cwl settings budget 12k"),
		() => pi.prompt(fourth),
		() => pi.command("/cwl off"),
		() => pi.send({ type: "compact" }),
		() => pi.prompt("and now?"),
	];
	let before = "";
	for (const step of steps) {
		await step();
		const file = await pi.file();
		const now = await readFile(file, "utf8");
		expect(now.startsWith(before)).toBe(true);
		before = now;
		const { entries, orphans, unreadable } = await readSessionEntries(file);
		expect({ orphans, unreadable }).toEqual({ orphans: [], unreadable: 0 });
		const written = new Set(entries.flatMap(({ message }) => (message ? [nameOf(message)] : [])));
		const told = pi.events
			.filter(({ type }) => type === "message_end")
			.map(({ message }) => fieldsOf(message));
		const missing = told.filter((message) => message.role !== "custom" && !written.has(nameOf(message)));
		expect(missing).toEqual([]);
	}
	expect(before.split(`"customType":"${PASS_ENTRY}"`).length).toBeGreaterThan(2);
	expect(before).toContain('"type":"compaction"');
	const last = trial.sent().join("\n");
	expect(last).toContain("A summary of the session.");
	expect(last).not.toContain(first);
	expect(before).toContain(JSON.stringify(first).slice(1, -1));
});
