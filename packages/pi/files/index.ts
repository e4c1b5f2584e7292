export { createDiskCheck } from "./disk-recovery.ts";
export * from "./manifest.ts";
export { replaceTextFile } from "./text-file.ts";
