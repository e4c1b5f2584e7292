export { createSizes, openRecording, type Recording } from "./recording.ts";
