import { execFileSync } from "node:child_process";
import { defineConfig } from "vitest/config";

export default defineConfig({
	test: {
		include: ["packages/**/*.test.ts", "extensions/**/*.test.ts", "bench/**/*.test.ts"],
		env: { CWL_PROPERTY_SEED: process.env.CWL_PROPERTY_SEED ?? String(seedOfTree()) },
		setupFiles: ["packages/core/test-support/property-seed.ts"],
		testTimeout: 30_000,
		hookTimeout: 30_000,
		maxWorkers: 2,
	},
});

/** Another one for each committed tree: what fails fails again, and each change is tried on new draws. */
function seedOfTree(): number {
	try {
		const tree = execFileSync("git", ["rev-parse", "HEAD^{tree}"], { stdio: ["ignore", "pipe", "ignore"] });
		return Number.parseInt(tree.toString().slice(0, 7), 16);
	} catch {
		return 1;
	}
}
