import { expect, test } from "vitest";
import { uncalibrated } from "#core/ledger";
import type { Pass } from "#core/log";
import type { HostMessage } from "../codec/host-message.ts";
import { createSizes } from "../screen/sizes.ts";
import { readLogEntries } from "../session/log-entries.ts";
import * as say from "../test-support/host-messages.ts";
import { measureRewrite, readRewrites } from "./rewrites.ts";

const pass: Pass & { readonly newest: string } = {
	...{ version: 1, policy: "cwl", budget: 20_000, before: 6_432, after: 4_331, strips: [], blockers: [] },
	newest: "user-9",
	reported: { budget: 20_000, before: 6_217, after: 4_156 },
};
const change: Pass = { ...pass, policy: "prefix changed", before: 6_500 };
const made = (data: Pass) => ({ type: "custom", customType: "cwl.pass", data });
const prefix = { version: 1, isOn: false, head: "a", compaction: 0 };
const begins = (data: Readonly<Record<string, unknown>>) => {
	return { type: "custom", customType: "cwl.prefix", data: { ...prefix, ...data } };
};
const undone = { type: "custom", customType: "cwl.undo", data: { version: 1, change } };

let clock = 0;
function answered(input: number, cacheRead: number, cacheWrite: number, model = "test") {
	clock += 1;
	const message = say.reply("ok", clock);
	const usage = { ...message.usage, input, cacheRead, cacheWrite };
	return { type: "message", message: { ...message, model, usage } };
}

/** A message of the user with so many tokens. */
const asked = (tokens: number) => {
	return { type: "message", message: say.user("x".repeat(tokens), clock + 0.5) };
};

type Entry = Parameters<typeof readRewrites>[0][number] & { readonly message?: HostMessage };

/** Learned after the passes, which changes no figure of those that recorded their sizes. */
const sizes = createSizes({ ...uncalibrated, samples: 9, factor: 1.5 });

/** Counts a letter as a token; framing and answers have none. */
function measure(branch: readonly Entry[], of: Pass = pass) {
	const messages = branch.flatMap(({ message }) => (message ? [message] : []));
	const count = (text: string) => (text.startsWith("x") ? text.length : 0);
	const rewrites = readRewrites(branch, { messages, count, sizes });
	const logged = readLogEntries(branch).passes.find(({ before }) => before === of.before);
	const measured = measureRewrite(logged?.number ?? 0, rewrites);
	return { ...measured, rewritten: measured.rewritten && 10 * Math.round(measured.rewritten / 10) };
}

test("what a request wrote again is what its provider reported, less what was new, counted as when the pass was made", () => {
	const before = [answered(6_135, 0, 0), asked(80), made(pass)];
	expect(measure([...before, answered(50, 0, 4_078)])).toMatchObject({ rewritten: 4_040 });
	expect(measure([...before, answered(12, 3_966, 150)])).toEqual({
		sent: 4_128,
		cached: 3_966,
		rewritten: 80,
	});
});

test("what an undo brings back is not new, also where the pass that is due then takes it again", () => {
	const branch = [answered(23_825, 0, 0), undone, asked(30), made(pass), answered(0, 0, 23_690)];
	expect(measure(branch)).toMatchObject({ rewritten: 23_650 });
});

test("no pass has the cost of /cwl off and /cwl on, made by hand before, or due or lost thinking with the switch", () => {
	const byHand = { ...pass, policy: "by hand" };
	const off = [answered(11_491, 0, 0), made(byHand), asked(30), begins({ change }), answered(0, 0, 46_272)];
	const on = [
		...off,
		begins({ isOn: true, head: "b" }),
		made({ ...pass, after: 4_000 }),
		answered(0, 0, 5_537),
	];
	const none = { cached: null, rewritten: null };
	for (const branch of [off, on, [...on, answered(5_537, 0, 100)]]) {
		expect(measure(branch, byHand)).toMatchObject(none);
	}
	expect(measure(on, { ...pass, after: 4_000 })).toMatchObject(none);
	// The next request begins as this one does.
	const next = { ...pass, before: 6_440 };
	const later = [...on, asked(80), made(next), answered(50, 0, 4_078)];
	expect(measure(later, next)).toMatchObject({ rewritten: 4_040 });
});

test("a pass has no more written again than its model's last request had", () => {
	const branch = [answered(5_000, 0, 0), undone, made(pass), answered(100, 1_000, 23_000)];
	expect(measure(branch)).toMatchObject({ rewritten: 4_000 });
});

test("nothing is measured before an answer has usage; a compaction's summary is new, and what it kept is not", () => {
	expect(measure([answered(6_135, 0, 0), made(pass)])).toMatchObject({ rewritten: null });
	const unreported = [answered(6_135, 0, 0), made(pass), answered(0, 0, 0)];
	expect(measure(unreported)).toMatchObject({ rewritten: null });
	const compaction = { type: "compaction", summary: "x".repeat(1_000) };
	const branch = [answered(6_135, 0, 0), compaction, made(pass), answered(50, 0, 4_078)];
	expect(measure(branch)).toMatchObject({ rewritten: 3_160 });
	expect(measure([made(pass), answered(50, 0, 4_078)])).toMatchObject({ rewritten: 0 });
});

test("what a pass had written again is that of the first request that was answered", () => {
	const { message } = answered(0, 0, 0);
	const refused = { type: "message", message: { ...message, stopReason: "error" as const } };
	const branch = [answered(6_135, 0, 0), asked(80), made(pass), refused, answered(50, 0, 4_078)];
	expect(measure(branch)).toMatchObject({ rewritten: 4_040 });
});

test("a request that was stopped after its provider had counted it is the one of its pass, and the next one wrote only the rest", () => {
	const start = [answered(6_135, 0, 0), asked(80), made(pass)];
	const { message } = answered(50, 0, 4_078);
	const branch = [...start, { type: "message", message: { ...message, stopReason: "aborted" as const } }];
	const next = { ...pass, before: 6_440 };
	const more = [...branch, asked(90), made(next), answered(0, 4_128, 100)];
	for (const each of [branch, more])
		expect(measure(each)).toEqual({ sent: 4_128, cached: 0, rewritten: 4_040 });
	expect(measure(more, next)).toEqual({ sent: 4_228, cached: 4_128, rewritten: 0 });
	const lost = [...branch, asked(90), made(next), answered(0, 0, 4_228)];
	expect(measure(lost, next)).toMatchObject({ rewritten: 4_130 });
});

test("a pass has nothing written again by a model that had nothing cached, whatever other models have answered", () => {
	const other = [answered(6_135, 0, 0), asked(80), made(pass), answered(0, 1_200, 2_900, "other")];
	expect(measure(other)).toMatchObject({ cached: 1_200, rewritten: 0 });
	const back = [answered(6_135, 0, 0), answered(0, 0, 6_150, "other"), made(pass), answered(50, 0, 4_078)];
	expect(measure(back)).toMatchObject({ rewritten: 4_120 });
	// This model never had what came while another one answered.
	const grown = [
		answered(1_500, 0, 0),
		answered(0, 0, 6_150, "other"),
		made(pass),
		answered(50, 1_300, 2_778),
	];
	expect(measure(grown)).toMatchObject({ rewritten: 200 });
	clock += 11 * 60_000;
	const paused = [...other.slice(0, 3), answered(50, 0, 4_078)];
	expect(measure(paused)).toMatchObject({ rewritten: 0 });
});

test("a pass of a refused request does not have the figure of the next pass", () => {
	const { message } = answered(0, 0, 0);
	const refused = { type: "message", message: { ...message, stopReason: "error" as const } };
	const next = { ...pass, before: 6_440, after: 4_000 };
	const branch = [answered(6_135, 0, 0), made(pass), refused, asked(80), made(next), answered(50, 0, 4_078)];
	expect(measure(branch)).toMatchObject({ rewritten: null });
	expect(measure(branch, next)).toMatchObject({ rewritten: 4_040 });
});

test("the size of a pass's request is the provider's, unless a person asked for the pass, cwl was off or a compaction came between", () => {
	const byHand = { ...pass, policy: "by hand" };
	const compaction = { type: "compaction", summary: "x".repeat(1_000) };
	const start = [answered(6_135, 0, 0), asked(80)];
	const answer = answered(12, 3_966, 150);
	expect(measure([...start, begins({ isOn: true }), made(pass), answer])).toMatchObject({ sent: 4_128 });
	for (const branch of [
		[...start, made(byHand), answer],
		[...start, made(pass), begins({}), answer],
		[...start, made(pass), compaction, answer],
		[...start, made(pass)],
	]) {
		expect(measure(branch)).toMatchObject({ sent: null });
	}
});
