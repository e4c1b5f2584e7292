import { defineConfig } from "vitest/config";

export default defineConfig({
	test: {
		include: ["packages/**/*.test.ts", "extensions/**/*.test.ts", "bench/**/*.test.ts"],
		testTimeout: 30_000,
		hookTimeout: 30_000,
		maxWorkers: 2,
	},
});
