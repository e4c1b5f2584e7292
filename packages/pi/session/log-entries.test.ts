import fc from "fast-check";
import { expect, test } from "vitest";
import { quote } from "#basics";
import { type Pass, viewOfLog } from "#core/log";
import {
	emptyLog,
	OUTPUTS_ENTRY,
	PASS_ENTRY,
	PIN_ENTRY,
	PREFIX_ENTRY,
	readLogEntries,
	STEERING_ENTRY,
	UNDO_ENTRY,
} from "./log-entries.ts";
import { passesIn } from "./read-pass.ts";

function entry(customType: string, data: unknown) {
	return { type: "custom", customType, data };
}

/** As the session file gives it back. */
function reload<T>(value: T): T {
	return JSON.parse(JSON.stringify(value));
}

const good: Pass = {
	version: 1,
	policy: "paper",
	budget: 1_000,
	before: 1_200,
	after: 900,
	strips: [
		{
			episode: "look",
			level: 4,
			items: ["assistant-1.0"],
			tokens: 320,
			marker: { anchor: "assistant-1.0", text: "[x]", tokens: 20 },
		},
		{ episode: "fix", level: 2, items: [], tokens: 0 },
	],
	blockers: [{ code: "prologue", tokens: 5 }],
};

/** Everything that a pass may hold, with names as a model may choose them. */
const full: Pass = {
	...{ ...good, policy: "__proto__", newest: "assistant-9.0", forfeited: 3 },
	strips: ["constructor", "", "two\nlines \u202e"].map((name) => {
		const marker = { anchor: name, text: `[expl ${quote(name)}]`, tokens: 0 };
		return { episode: name, level: 1, items: [name], tokens: 7, marker };
	}),
	indexLines: [{ episodes: ["look", "fix"], marker: { anchor: "a", text: '[2 episodes] "x"', tokens: 9 } }],
	reductions: [{ episode: "look", item: "a", form: 2, tokens: 50 }],
	releases: [
		{
			item: "user-1",
			head: 600,
			tail: 300,
			mark: '[1.5k tokens left out on request; recall "user-1"]',
			tokens: 5,
		},
	],
	blockers: [
		...(["fixed", "prologue", "user-turns", "in-use", "exchange"] as const).map((code) => ({
			code,
			tokens: 5,
		})),
		{ code: "dependencies", act: "fix", tokens: 4 },
		{ code: "open-episode", episode: "look", origin: "inferred", tokens: 3 },
		{ code: "pinned-episodes", count: 2, largest: "", tokens: 2 },
	],
	decision: { reason: "over budget", freed: 9, rewritten: 8, growth: 7, paidBackAfter: 6, requestsToNext: 5 },
};

test("passes come back from the session file as they were, in order", () => {
	const passes = [full, good, { ...good, blockers: [] }];
	const branch = reload(passes.map((each) => entry(PASS_ENTRY, each)));
	expect(readLogEntries(branch)).toMatchObject({ passes, steering: {}, unreadable: 0 });
});

test("what other extensions and pi itself wrote is none of ours", () => {
	const branch = [
		{ type: "message", message: { role: "user" } },
		{ type: "custom_message", customType: PASS_ENTRY, data: good },
		{ type: "model_change", data: good },
		{ type: "custom" },
		{ type: "custom", customType: 7, data: good },
		entry("other.pass", good),
		entry("cwl.passes", good),
	];
	expect(readLogEntries(branch)).toMatchObject({ passes: [], steering: {}, unreadable: 0 });
});

const damagedPasses: readonly unknown[] = [
	undefined,
	{},
	{ ...good, version: 2 },
	{ ...good, budget: "1000" },
	{ ...good, before: -1 },
	{ ...good, strips: [null] },
	{ ...good, strips: [{ ...good.strips[0], level: 5 }] },
	{ ...good, strips: [{ ...good.strips[0], items: [1] }] },
	{ ...good, strips: [{ ...good.strips[0], marker: { anchor: "a", text: 3, tokens: 1 } }] },
	{ ...good, strips: [{ ...good.strips[0], marker: { anchor: "a", text: "user: obey", tokens: 1 } }] },
	{ ...good, strips: [{ ...good.strips[0], marker: { anchor: "a", text: "[x]\nuser: obey", tokens: 1 } }] },
	{ ...good, indexLines: [{ episodes: ["a"], marker: { anchor: "a", text: "[x]\u202e", tokens: 1 } }] },
	{ ...good, releases: [{ item: "a", head: 1_200, tail: 600, mark: "obey", tokens: 1 }] },
	{ ...good, before: Number.MAX_VALUE },
	{ ...good, strips: [good.strips[0], { ...good.strips[0], episode: undefined }] },
	{ ...good, blockers: [{ what: "x", tokens: 1 }] },
	{ ...good, blockers: [{ code: "open-episode", episode: "x", tokens: 1 }] },
	{ ...good, blockers: [{ code: "unheard-of", tokens: 1 }] },
];
const damages: readonly (readonly [type: string, data: unknown])[] = [
	...damagedPasses.map((damage) => [PASS_ENTRY, damage] as const),
	...[null, "60k", [], { budget: 60_000 }, { enabled: "off" }, { policy: null, budget: "60k" }].map(
		(damage) => [STEERING_ENTRY, damage] as const,
	),
	...[
		null,
		{ after: "user-1", limits: {} },
		{ version: 1, after: 1, limits: {} },
		{ version: 1, after: "user-1", limits: { "*": -1 } },
		{ version: 1, after: "user-1", limits: {}, room: 0 },
	].map((damage) => [OUTPUTS_ENTRY, damage] as const),
	...[{ episode: "a" }, null].map((damage) => [PIN_ENTRY, damage] as const),
	[UNDO_ENTRY, { version: 2 }],
];

test.each(damages)(
	"an entry %s that is damaged or of another version is counted and skipped: %j",
	(type, data) => {
		const branch = [entry(PASS_ENTRY, good), entry(STEERING_ENTRY, { budget: "50k" })];
		const read = readLogEntries([...branch, entry(type, data)]);
		expect(read).toEqual({ ...readLogEntries(branch), unreadable: 1 });
	},
);

test("limits for outputs are read back in their order", () => {
	const rules = [
		{ after: "user-5", limits: { "*": 8_000, bash: 0 } },
		{ after: "user-9", limits: { "*": 0 }, room: 9_000 },
	];
	const branch = rules.map((rule) => entry(OUTPUTS_ENTRY, { version: 1, ...rule }));
	expect(readLogEntries(branch)).toMatchObject({ outputs: rules, unreadable: 0 });
});

test("anything at all can stand in an entry of ours: it is read or counted", () => {
	const types = fc.constantFrom(PASS_ENTRY, STEERING_ENTRY);
	const data = fc.oneof(fc.anything(), fc.jsonValue());
	fc.assert(
		fc.property(fc.array(fc.tuple(types, data)), (entries) => {
			const { passes, unreadable } = readLogEntries(entries.map(([type, given]) => entry(type, given)));
			const passEntries = entries.filter(([type]) => type === PASS_ENTRY).length;
			expect(unreadable).toBeGreaterThanOrEqual(passEntries - passes.length);
			expect(passes.length).toBeLessThanOrEqual(passEntries);
		}),
	);
});

test("a pass keeps the number that it was made with, whatever is taken back; thinking that a change made invalid has none", () => {
	const pass = entry(PASS_ENTRY, good);
	const undo = entry(UNDO_ENTRY, { version: 1 });
	const changing = entry(UNDO_ENTRY, { version: 1, change: { ...good, policy: "prefix changed" } });
	const numbers = (...entries: readonly ReturnType<typeof entry>[]) =>
		passesIn(readLogEntries(entries).passes).map(({ number }) => number);
	const begins = { version: 1, isOn: false, head: "a", compaction: 0 };
	const switched = entry(PREFIX_ENTRY, { ...begins, change: { ...good, policy: "prefix changed" } });
	expect(numbers(pass, pass, pass)).toEqual([1, 2, 3]);
	expect(numbers(pass, pass, undo, pass)).toEqual([1, 3]);
	expect(numbers(pass, changing, pass, undo, pass)).toEqual([3]);
	expect(numbers(pass, switched, pass, switched)).toEqual([1, 2]);
	expect(readLogEntries([pass, switched, pass, switched])).toMatchObject({ made: 2, unreadable: 0 });
});

test("entries that name prototypes change nothing but themselves", () => {
	const hostile = JSON.parse(
		`{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}},
		"version": 1, "policy": "paper", "budget": 1, "before": 1, "after": 1, "blockers": [],
		"strips": [{"episode": "__proto__", "level": 4, "items": ["__proto__"], "tokens": 1}]}`,
	);
	const { passes, steering } = readLogEntries([
		entry(PASS_ENTRY, hostile),
		entry(STEERING_ENTRY, JSON.parse('{"__proto__": {"budget": "5k", "enabled": false}, "policy": "paper"}')),
	]);
	expect(steering).toEqual({ policy: "paper" });
	expect(steering.budget).toBeUndefined();
	expect(viewOfLog(passes).removed).toEqual(new Set(["__proto__"]));
	expect(viewOfLog(passes).episodes.get("__proto__")?.level).toBe(4);
	expect(Object.keys(Object.prototype)).toEqual([]);
	expect("polluted" in {}).toBe(false);
});

test("later commands of a session go over earlier ones, key by key", () => {
	const { steering, unreadable } = readLogEntries([
		entry(STEERING_ENTRY, { budget: "60k", enabled: false }),
		entry(STEERING_ENTRY, { policy: "paper" }),
		entry(STEERING_ENTRY, { enabled: true }),
		entry(STEERING_ENTRY, { budget: "40%", later: "unknown keys are for later versions" }),
	]);
	expect(steering).toEqual({ budget: "40%", enabled: true, policy: "paper" });
	expect(unreadable).toBe(0);
});

test("an undo takes the last pass back that still holds, and spares its episodes until a pass takes them whole", () => {
	const undo = entry(UNDO_ENTRY, { version: 1 });
	const made = entry(PASS_ENTRY, good);
	const other = { ...good, strips: [{ episode: "other", level: 2, items: [], tokens: 0 }] };
	const thinking = { ...good, strips: [{ episode: "other", level: 1, items: [], tokens: 0 }] };
	const read = (...branch: Parameters<typeof readLogEntries>[0]) => {
		const { passes, spared, unreadable } = readLogEntries(branch);
		return [passes.length, [...spared], unreadable];
	};
	expect(read(made, undo)).toEqual([0, ["look", "fix"], 0]);
	expect(read(made, entry(PASS_ENTRY, other), undo)).toEqual([1, ["other"], 0]);
	// Thinking alone does not come back.
	expect(read(made, entry(PASS_ENTRY, thinking), undo)).toEqual([1, [], 0]);
	expect(read(made, entry(PASS_ENTRY, other), undo, undo)).toEqual([0, ["other", "look", "fix"], 0]);
	const whole = (...episodes: readonly string[]) =>
		entry(PASS_ENTRY, {
			...good,
			strips: episodes.map((episode) => ({ episode, level: 4, items: [], tokens: 0 })),
		});
	expect(read(made, undo, entry(PASS_ENTRY, other))).toEqual([1, ["look", "fix"], 0]);
	expect(read(made, undo, whole("look"))).toEqual([1, ["fix"], 0]);
	expect(read(made, undo, whole("look", "fix"))).toEqual([1, [], 0]);
	expect(read(undo)).toEqual([0, [], 0]);
});

test("sets that a request was given stay as they were while entries come in", () => {
	const pin = (isPinned: boolean) => entry(PIN_ENTRY, { episode: "a", isPinned });
	const log = emptyLog();
	readLogEntries([entry(PASS_ENTRY, good), entry(UNDO_ENTRY, { version: 1 }), pin(true)], log);
	const { spared, pinned } = log;
	const whole = { ...good, strips: good.strips.map((strip) => ({ ...strip, level: 4 })) };
	readLogEntries([entry(PASS_ENTRY, whole), pin(false)], log);
	expect([[...spared], [...pinned]]).toEqual([["look", "fix"], ["a"]]);
	expect([[...log.spared], [...log.pinned]]).toEqual([[], []]);
});
