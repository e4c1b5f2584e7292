export type { ApiName } from "./api.ts";
