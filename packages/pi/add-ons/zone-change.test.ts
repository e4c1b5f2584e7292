import { expect, test } from "vitest";
import { measurePressure } from "#core/health";
import { enterZone, type ZoneState } from "./zone-change.ts";

const actions = { yellow: "nudge", orange: "fade", red: "pass", spike: "pass" } as const;
const calm: ZoneState = { zone: "green", isSpike: false, action: "nothing" };

const at = (used: number, isSpike = false) =>
	measurePressure({
		used,
		budget: 100,
		source: "reported",
		burn: { recent: 5, isSpike },
	});
const enter = (last: ZoneState | undefined, used: number, isSpike = false) =>
	enterZone(last, at(used, isSpike), 1, actions);

test("a request in a fuller zone asks for the action of that zone, and is news", () => {
	expect(enter(calm, 80)).toEqual({
		zone: "orange",
		isSpike: false,
		spike: undefined,
		action: "fade",
		change: expect.objectContaining({ from: "green", to: "orange", used: 80, budget: 100, action: "fade" }),
	});
	expect(enter({ ...calm, zone: "yellow" }, 95).change?.action).toBe("pass");
});

test("a zone that is emptier, or the same, asks for nothing", () => {
	expect(enter({ ...calm, zone: "red" }, 80)).toMatchObject({ change: { to: "orange", action: "nothing" } });
	expect(enter({ ...calm, zone: "orange" }, 80).change).toBeUndefined();
	expect(enter({ ...calm, zone: "yellow" }, 10)).toMatchObject({
		change: { to: "green", action: "nothing" },
	});
});

test("a nudge waits for the next tool result; a pass does not", () => {
	const entered = enter(calm, 60);
	expect(entered.action).toBe("nudge");
	expect(enter(entered, 62).action).toBe("nudge");
	expect(enter({ ...calm, zone: "red", action: "pass" }, 95).action).toBe("nothing");
});

test("the first request of a branch that nobody knows is no news, and a spike is news once", () => {
	expect(enter(undefined, 95, true).change).toBeUndefined();
	const spiking = enter(calm, 10, true);
	expect(spiking.spike).toMatchObject({ used: 10, baseline: 1, zone: "green" });
	expect(enter(spiking, 12, true).spike).toBeUndefined();
});
