export { annotations } from "./annotation.ts";
export { createSizes, openRecording, type Recording, sum } from "./recording.ts";
