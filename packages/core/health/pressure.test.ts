import { expect, test } from "vitest";
import { defaultZoneEnds, measurePressure, zoneEndsFor, zoneOf } from "./pressure.ts";

const burn = { recent: 1_000, before: 900, isSteep: false, isSpike: false };
type Change = Partial<Parameters<typeof measurePressure>[0]>;
const pressureOf = (used: number, budget: number, change: Change = {}) =>
	measurePressure({ used, budget, source: "estimated", burn, ...change });

test("zones end at a half, three quarters and nine tenths of the budget, or where the user says", () => {
	const zones = [0.5, 0.51, 0.75, 0.76, 0.9, 0.91].map((level) => zoneOf(level, defaultZoneEnds));
	expect(zones).toEqual(["green", "yellow", "yellow", "orange", "orange", "red"]);
	expect(zoneOf(0.5, [0.2, 0.3, 0.4])).toBe("red");
});

test("turns are those after which red is passed at the velocity of late", () => {
	const pressure = measurePressure({ used: 60_000, budget: 80_000, source: "reported", burn });
	expect(pressure).toMatchObject({ level: 0.75, zone: "yellow", velocity: 1_000, source: "reported" });
	expect(pressure.turnsToRed).toBe(13);
});

test("a session that does not grow never becomes red, not even where red begins; the slowest growth does", () => {
	const turns = (used: number, recent: number) => {
		const slow = { recent, before: recent, isSteep: false, isSpike: false };
		return pressureOf(used, 200, { burn: slow }).turnsToRed;
	};
	expect([turns(100, 0), turns(180, 0), turns(180, 1)]).toEqual([undefined, undefined, 1]);
});

test("over the budget there is no turn left, and without a budget all is red", () => {
	const over = pressureOf(90, 80);
	expect([over.zone, over.turnsToRed]).toEqual(["red", 0]);
	const none = pressureOf(1, 0);
	expect([none.zone, none.level]).toEqual(["red", 1]);
	expect(pressureOf(3, 1).level).toBe(3);
});

test("zones are tighter in small windows; in large ones only yellow and orange are looser", () => {
	expect([8_000, 32_000, 128_000, 200_000, 1_000_000].map(zoneEndsFor)).toEqual([
		[0.4, 0.6, 0.8],
		[0.4, 0.6, 0.8],
		[0.5, 0.75, 0.9],
		[0.6, 0.8, 0.9],
		[0.6, 0.8, 0.9],
	]);
});
