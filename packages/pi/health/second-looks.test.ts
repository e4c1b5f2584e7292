import { expect, test } from "vitest";
import { uncalibrated } from "#core/ledger";
import * as draft from "../../core/test-support/message-builders.ts";
import { flatPrices } from "../../core/test-support/prices.ts";
import { createSizes } from "../screen/sizes.ts";
import { readLogEntries } from "../session/log-entries.ts";
import * as say from "../test-support/host-messages.ts";
import { countKept, measureSecondLooks } from "./second-looks.ts";

const sizes = createSizes({ ...uncalibrated, samples: 1, factor: 2 });
const made = (before: number, after: number, reported?: object) => {
	const data = { version: 1, policy: "cwl", budget: 900, before, after, reported, strips: [], blockers: [] };
	return { type: "custom", customType: "cwl.pass", data };
};
const steered = (enabled: boolean) => ({ type: "custom", customType: "cwl.steering", data: { enabled } });
const sent = (isOn: boolean) => {
	const data = { version: 1, isOn, head: "a", compaction: 0 };
	return { type: "custom", customType: "cwl.prefix", data };
};
const undone = { type: "custom", customType: "cwl.undo", data: { version: 1 } };
const compaction = { type: "compaction", summary: "what was done" };
let clock = 0;
const answered = () => {
	clock += 1;
	return { type: "message", message: say.reply([say.says("ok")], clock) };
};
const keptOf = (...branch: Parameters<typeof countKept>[0]) =>
	Array.from(
		countKept(branch, sizes, () => undefined),
		([number, { tokens }]) => [number, tokens],
	);

test("a pass keeps its tokens out of each request after it, in the provider's tokens of its time", () => {
	const first = made(800, 300, { budget: 900, before: 1_000, after: 400 });
	expect(keptOf(answered(), first, answered(), answered())).toEqual([[1, 1_200]]);
	expect(keptOf(first, answered(), made(600, 500), answered())).toEqual([
		[1, 1_200],
		[2, 200],
	]);
});

test("a request while cwl is off keeps nothing out, and one after it is on again does", () => {
	const pass = made(800, 300);
	const off = [steered(false), sent(false), answered(), answered()];
	expect(keptOf(pass, answered(), ...off)).toEqual([[1, 1_000]]);
	expect(keptOf(pass, answered(), ...off, steered(true), sent(true), answered())).toEqual([[1, 2_000]]);
	// The settings of a user can switch it off as well.
	expect(keptOf(sent(true), pass, answered(), sent(false), answered())).toEqual([[1, 1_000]]);
});

test("a pass that is taken back kept its tokens out until then, and a compaction leaves nothing to keep out", () => {
	const pass = made(800, 300);
	expect(keptOf(pass, answered(), undone, answered())).toEqual([[1, 1_000]]);
	expect(keptOf(pass, answered(), compaction, answered(), made(400, 300), answered())).toEqual([
		[1, 1_000],
		[2, 200],
	]);
});

test("what a pass saved is priced by the model of each request, whichever is in use", () => {
	const by = (model: string) => {
		const { message } = answered();
		return { type: "message", message: { ...message, model } };
	};
	const pricesOf: Parameters<typeof countKept>[2] = (answer) =>
		flatPrices({ read: answer?.model === "large" ? 0.5 : 0.1, write: 1.25 });
	const branch = [made(800, 300), by("small"), by("large")];
	const kept = countKept(branch, sizes, pricesOf);
	expect(kept.get(1)).toMatchObject({
		tokens: 2_000,
		worth: 1_000 * 0.1 + 1_000 * 0.5,
		prices: { read: 0.1 },
	});
	const { passes: log } = readLogEntries(branch);
	const looks = (prices: ReturnType<typeof pricesOf>) =>
		measureSecondLooks({ log, regrets: [], kept, sizes, prices });
	expect(looks(undefined).saved).toBe(600);
	expect(looks(flatPrices({ read: 9, write: 9 }))).toEqual(looks(undefined));
});

test("a request that was refused, or stopped by a person, keeps nothing out", () => {
	const pass = made(800, 300);
	const failed = (["error", "aborted"] as const).map((stopReason) => {
		const { message } = answered();
		return { type: "message", message: { ...message, stopReason } };
	});
	expect(keptOf(pass, ...failed, answered(), ...failed)).toEqual([[1, 1_000]]);
});

test("what was read again counts while its pass keeps it out, not behind a compaction nor while cwl is off", () => {
	const reads = (id: string) => ({ type: "message", message: say.reply(say.calls(id), ++clock) });
	const pass = made(800, 300);
	const branch = [pass, reads("early"), steered(false), sent(false), reads("off"), steered(true), sent(true)];
	const whole = [...branch, reads("again"), compaction, reads("late")];
	const { passes: log } = readLogEntries(whole);
	const graph = draft.fold(
		...["early", "off", "again", "late"].map((id) => draft.model(draft.call(id, "read"))),
	);
	const calls = graph.messages.flatMap(({ items }) => items.filter((item) => item.type === "call"));
	const regrets = calls.map((call) => ({ call, of: [], tokens: 100, pass: 1, times: 1 }));
	const kept = countKept(whole, sizes, () => undefined);
	const looks = measureSecondLooks({ log, regrets, kept, sizes, prices: undefined });
	expect(looks.calls.map(({ call }) => call.callId)).toEqual(["early", "again"]);
	expect(looks.tokens).toBe(400);
});
