import { createExtensionRuntime, ExtensionRunner, SessionManager } from "@mariozechner/pi-coding-agent";
import { expect, test, vi } from "vitest";
import { tellProblem } from "./host.ts";

test("what a check has to say after its session was closed is said to nobody, and throws nothing", () => {
	const runtime = createExtensionRuntime();
	const registry: ConstructorParameters<typeof ExtensionRunner>[4] = Object.create(null);
	const runner = new ExtensionRunner([], runtime, "/", SessionManager.inMemory(), registry);
	const ctx = runner.createContext();
	const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
	tellProblem(ctx, "warning", "while it is open");
	runner.invalidate();
	expect(() => ctx.hasUI).toThrow(/stale/);
	tellProblem(ctx, "warning", "the check of the context failed");
	expect(write.mock.calls).toEqual([["cwl: while it is open\n"]]);
	write.mockRestore();
});
