export { createDiskCheck } from "./disk-recovery.ts";
export { createFileReader, type FileState, type ReadFileState } from "./file-state.ts";
export * from "./manifest.ts";
export { replaceTextFile } from "./text-file.ts";
