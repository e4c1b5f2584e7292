import type { Policy } from "../../packages/core/plan.ts";

/** Nothing ever leaves: what a session costs without context management, and what it could have seen. */
export const none: Policy = { name: "none", plan: () => undefined };
