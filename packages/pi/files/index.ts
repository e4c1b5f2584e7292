export * from "./manifest.ts";
export { replaceTextFile } from "./text-file.ts";
