import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import { expect, test } from "vitest";
import { measureBurnRate } from "#core/health";
import { createTrafficMeter } from "#pi/requests";
import { fold } from "../../../packages/core/test-support/message-builders.ts";
import { openHost } from "../test-support/host-context.ts";
import { createEntryLog } from "./entry-log.ts";
import { createGaugeState, pressureOf } from "./gauge.ts";
import { createSettingsState } from "./settings-state.ts";

function open(steering: { readonly budget?: string } = {}) {
	const { pi, ctx } = openHost();
	const settings = createSettingsState(pi, createEntryLog(pi));
	settings.steer(ctx, steering);
	return { ctx, gauge: createGaugeState(settings) };
}

/** The context as pi has it once a model is chosen. */
function withModel(ctx: ExtensionContext): ExtensionContext {
	const cost = { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 };
	const model = { provider: "p", id: "m", api: "openai-responses", contextWindow: 200_000, cost };
	return Object.create(ctx, { model: { value: model } });
}

/** Every request is reported as one and a half times our count. */
function teach(gauge: ReturnType<typeof open>["gauge"], model: string) {
	gauge.meter = createTrafficMeter();
	const [provider = "", id = ""] = model.split("/");
	const usage = { input: 1_500, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 1_501 };
	const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
	const about = { api: "openai-responses", stopReason: "stop", timestamp: 1 } as const;
	const answer = { role: "assistant" as const, content: [], provider, model: id, usage: { ...usage, cost } };
	const counted = {
		answer: { ...answer, ...about },
		tokens: 1_000,
		sealed: { sent: 0, unsent: 0 },
		isManaged: true,
	};
	gauge.meter.relearn([counted as never], []);
}

test("sizes are estimates until the provider has reported, and its tokens from then on", () => {
	const { ctx, gauge } = open();
	expect(gauge.read(ctx).sizes).toMatchObject({ isKnown: false });
	expect(gauge.read(ctx).sizes.show(8_400)).toBe("~8.4k");
	const known = withModel(ctx);
	teach(gauge, "p/m");
	const { sizes, counted } = gauge.read(known);
	expect([sizes.isKnown, sizes.part(1_000), sizes.whole(2_000), sizes.show(8_400)]).toEqual([
		...[true, 1_500, 3_000, "13k"],
	]);
	expect(counted(3_000)).toBe(2_000);
	const size = {
		tokens: 2_000,
		ceiling: 4_000,
		burn: { ...measureBurnRate(fold()), recent: 100 },
	};
	expect(pressureOf(gauge.read(known), size)).toMatchObject({
		used: 3_000,
		velocity: 150,
		source: "reported",
	});
	const none = { sent: 0, unsent: 0 };
	const sealed = { recent: { sent: 40, unsent: 0 }, before: none };
	const thoughtful = { ...size, burn: { ...size.burn, sealed } };
	expect(pressureOf(gauge.read(known), thoughtful).velocity).toBe(1.5 * 60 + 40);
});

test("the budget keeps the model's window free for the answer, and no plan is above what a provider refused", () => {
	const { ctx, gauge } = open({ budget: "900k" });
	const small = withModel(ctx);
	expect(gauge.read(small)).toMatchObject({ budget: 183_616, window: 200_000, model: "p/m" });
	gauge.tighten(small, 50_000);
	expect(gauge.read(small).counted(80_000)).toBe(50_000);
	expect(gauge.read(ctx).counted(80_000)).toBe(80_000);
});
