import { expect, test, vi } from "vitest";
import { measureBurnRate } from "#core/health";
import { fold } from "../../packages/core/test-support/message-builders.ts";
import { registerStatus } from "./footer.ts";
import { createRuntime } from "./state/runtime.ts";
import { openHost } from "./test-support/host-context.ts";

test("the footer has the parts that fit whole, also after the terminal got another width, and until the session closes", async () => {
	const { pi, ctx } = openHost();
	const runtime = createRuntime(pi);
	await runtime.restore(ctx);
	const burn = { ...measureBurnRate(fold()), recent: 1_200, before: 900 };
	runtime.lastRequest.size = { tokens: 61_300, ceiling: 80_000, fixed: { system: 1, tools: 1 }, burn };
	runtime.lastRequest.cachedShare = 0.92;
	registerStatus(pi, runtime);
	const call = async (name: string) => {
		for (const [event, handle] of vi.mocked(pi.on).mock.calls)
			if (event === name) await Reflect.apply(handle, undefined, [{}, ctx]);
	};
	const shown = vi.spyOn(ctx.ui, "setStatus");
	const { columns } = process.stdout;
	const resize = (width: number) => {
		process.stdout.columns = width;
		process.stdout.emit("resize");
		return shown.mock.lastCall?.[1];
	};
	await call("session_start");
	expect(resize(80)).toMatch(/^cwl ~61k\/\S+ \d+% · ~1\.2k more a request · 92% cached$/);
	expect(resize(45)).toMatch(/^cwl ~61k\/\S+ \d+% · ~1\.2k more a request$/);
	await call("session_shutdown");
	const count = shown.mock.calls.length;
	resize(80);
	expect(shown.mock.calls.length).toBe(count);
	process.stdout.columns = columns;
});
