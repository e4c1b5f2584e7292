export { makeTrajectory } from "./atif-writer.ts";
export { type Fields, isFields, parseFields } from "./json.ts";
export { fileError, readLines } from "./lines.ts";
export { modelReply } from "./message-parts.ts";
export { readSession } from "./registry.ts";
export { type FoundFolder, findSessionFiles, findUsualFolders, listUsualFolders } from "./session-files.ts";
