import fc from "fast-check";
import { expect, test } from "vitest";
import { measurePressure } from "#core/health";
import { widthOf } from "./columns.ts";
import { type Footer, footerLine } from "./footer-line.ts";

const burn = { recent: 1_200, before: 900, isSpike: false };
const footer: Footer = {
	pressure: measurePressure({ used: 61_300, budget: 80_000, source: "reported", burn }),
	cachedShare: 0.924,
	lastPass: { freed: 12_000, episodes: 2 },
};

test("says used, budget, growth, turns to the next pass, cached share and the last pass", () => {
	expect(footerLine(footer, 200)).toBe(
		"cwl 61k/80k 77% · +1.2k/turn · pass in 16 · 92% cached · -12k (2 episodes)",
	);
});

test("at 60 columns only the last pass is left out", () => {
	expect(footerLine(footer, 60)).toBe("cwl 61k/80k 77% · +1.2k/turn · pass in 16 · 92% cached");
});

test("a figure that no provider confirmed is marked, and so is a spike", () => {
	const spike = { recent: 8_000, before: 900, isSpike: true };
	const pressure = measurePressure({ used: 70_000, budget: 80_000, source: "estimated", burn: spike });
	const line = footerLine({ pressure, cachedShare: undefined, lastPass: undefined }, 80);
	expect(line).toBe("cwl ~70k/80k 88% · +8k/turn! · pass in 2");
});

test("the colour goes on the level alone", () => {
	const line = footerLine(footer, 40, (zone, text) => `<${zone}>${text}</>`);
	expect(line).toMatch(/^<orange>cwl 61k\/80k 77%<\/> · /);
});

test("is never wider than the terminal", () => {
	const size = fc.nat(10_000_000);
	fc.assert(
		fc.property(fc.integer({ min: 20, max: 300 }), size, size, size, (width, used, budget, recent) => {
			const pressure = measurePressure({
				...{ used, budget, source: "estimated" },
				burn: { recent, before: 0, isSpike: true },
			});
			const line = footerLine({ ...footer, pressure }, width);
			expect(widthOf(line)).toBeLessThanOrEqual(width);
			expect(line).toMatch(/^cwl ~/);
		}),
	);
});
