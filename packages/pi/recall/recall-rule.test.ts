import fc from "fast-check";
import { expect, test } from "vitest";
import type { HostMessage } from "../codec/host-message.ts";
import { loadTokenCounter } from "../codec/tokens.ts";
import * as say from "../test-support/host-messages.ts";
import { countCharacters } from "../test-support/host-messages.ts";
import { open, requestPoints, under, upTo } from "../test-support/host-runs.ts";
import { anyBudget, anyHostSession } from "../test-support/host-sessions.ts";
import { evictAll, partsNotShown, recallPart, recallSession, walkPages } from "../test-support/recalls.ts";
import { PAGE_TOKENS } from "./answer.ts";

test("rule 12: the handle of every evicted item gives back its texts byte for byte, and its images", () => {
	fc.assert(
		fc.property(anyHostSession, anyBudget, (messages, budget) => {
			const session = open();
			for (const point of requestPoints(messages)) session.request(upTo(messages, point), under(budget));
			const known = recallSession(session, messages);
			for (const part of partsNotShown(known)) {
				const { wanted, found, images } = recallPart(known, part);
				expect(found).toEqual(wanted);
				const held = part.items.flatMap(({ message }) => imagesOf(messages[message]));
				expect(images).toEqual(held);
			}
		}),
		{ numRuns: 60 },
	);
});

function imagesOf(message: HostMessage | undefined): readonly unknown[] {
	if (message?.role !== "toolResult" && message?.role !== "custom") return [];
	return typeof message.content === "string" ? [] : message.content.filter((block) => block.type === "image");
}

/** Texts that would break a careless frame or a careless cut. */
const hostileText = fc
	.array(
		fc.oneof(
			fc.constantFrom("\n", "\r\n", "\n\n", "---", "\n---\n", "---1 "),
			fc.constantFrom('\n--- "look#1" result, lines 1-2 of 3\n'),
			fc.constantFrom("\n---", "\u2028", "😀", "\ud83d", "é", "\t", " ", '[expl "look", evicted 9k]'),
			fc.string({ unit: "grapheme", maxLength: 30 }),
			fc.integer({ min: 1, max: 6_000 }).map((length) => "ab 😀".repeat(length / 4)),
		),
		{ maxLength: 12 },
	)
	.map((pieces) => pieces.join(""));

/** A session whose only call and its result are evicted. */
const evictedCall = (args: Record<string, unknown>, output: string) =>
	evictAll(
		...[say.user("go"), say.reply(say.calls("c1", "write", args)), say.result("c1", output)],
		...[say.user("more"), say.reply("ok")],
	);

test("rule 12: no text breaks the frame, whatever it holds, and no page passes the bound", async () => {
	const counters = [countCharacters, await loadTokenCounter()];
	fc.assert(
		fc.property(hostileText, hostileText, fc.nat(1), (content, output, which) => {
			const count = counters[which] ?? countCharacters;
			const { texts, answers } = walkPages(evictedCall({ path: "a.ts", content }, output), "c1", count);
			const isLong = content.length > 60 || content.includes("\n");
			expect(texts).toEqual(isLong ? [content, output] : [output]);
			for (const [at, { text, pages }] of answers.entries()) {
				expect([pages, count(text) <= PAGE_TOKENS]).toEqual([answers.length, true]);
				const more = at + 1 < pages ? `; ask again with page ${at + 2} for the next` : "";
				if (pages > 1) expect(text.split("\n")[0]).toContain(` Page ${at + 1} of ${pages}${more}.`);
			}
		}),
		{ numRuns: 60 },
	);
});

test("rule 12: the arguments of a call come back as they were, on its line or as texts", () => {
	const isPlain = (args: unknown) => !/"@\d+"/.test(JSON.stringify(args));
	const anyArguments = fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue()).filter(isPlain);
	fc.assert(
		fc.property(anyArguments, (args) => {
			const { answers, texts } = walkPages(evictedCall(args, "done"), "c1", countCharacters);
			const [, line] = /^--- "[^"]*" write (\{.*\}) (?:@1|result)/m.exec(answers[0]?.text ?? "") ?? [];
			const [first = "", ...rest] = texts;
			const json = line ?? first;
			const long = line === undefined ? rest : texts;
			const whole: unknown = JSON.parse(json, (_key, value: unknown) => {
				const place = typeof value === "string" ? /^@(\d+)$/.exec(value)?.[1] : undefined;
				return place === undefined ? value : (long[Number(place) - 1] ?? value);
			});
			expect(whole).toEqual(JSON.parse(JSON.stringify(args)));
		}),
		{ numRuns: 200 },
	);
});
