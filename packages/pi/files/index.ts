export { createDiskCheck, isStillSent, READ_BEFORE, type ReadAnswer } from "./disk-recovery.ts";
export { createFileReader, type FileState, type ReadFileState } from "./file-state.ts";
export {
	compareManifest,
	describeForModel,
	describeForUser,
	FILES_ENTRY,
	type FileChange,
	fileOfCall,
	findRenames,
	type Manifest,
	readKnowledge,
	readManifest,
} from "./manifest.ts";
export { replaceTextFile } from "./text-file.ts";
