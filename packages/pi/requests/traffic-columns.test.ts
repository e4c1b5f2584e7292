import fc from "fast-check";
import { expect, test } from "vitest";
import { changesContext } from "#core/log";
import type { HostMessage } from "../codec/host-message.ts";
import { open, requestPoints, under, upTo } from "../test-support/host-runs.ts";
import { anyBudget, anyHostSession } from "../test-support/host-sessions.ts";
import { createTrafficMeter } from "./traffic-meter.ts";

const usages = fc.array(fc.tuple(fc.nat({ max: 20_000 }), fc.nat({ max: 20_000 })), {
	minLength: 1,
	maxLength: 20,
});

test("rule 16: whatever a session holds and a provider reports, the columns add up to what was reported", () => {
	fc.assert(
		fc.property(anyHostSession, anyBudget, usages, (dressed, budget, reports) => {
			const messages = dressed.map((message, at): HostMessage => {
				if (message.role !== "assistant") return message;
				const [input = 0, cacheRead = 0] = reports[at % reports.length] ?? [];
				// No two answers are of one time.
				return { ...message, timestamp: at + 1, usage: { ...message.usage, input, cacheRead } };
			});
			const session = open();
			const meter = createTrafficMeter();
			let reported = 0;
			for (const point of requestPoints(messages)) {
				const history = upTo(messages, point);
				const settled = meter.learn(history);
				if (settled) {
					reported += settled.reported;
					const columns = Object.values(settled.account);
					expect(Math.min(...columns)).toBeGreaterThanOrEqual(0);
					expect(columns.reduce((sum, column) => sum + column, 0)).toBe(settled.reported);
				}
				const settings = under(budget);
				const { pass } = session.request(history, settings);
				const made = pass && changesContext(pass) ? pass : undefined;
				meter.sent("openai/test", { ...session.state(), ...settings, isCold: false }, made ? [made] : []);
			}
			const total = Object.values(meter.total());
			expect(total.reduce((sum, column) => sum + column, 0)).toBe(reported);
		}),
	);
});
