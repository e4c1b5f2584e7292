export * from "./delimiter.ts";
