export { createSizes, openRecording, type Recording, sum } from "./recording.ts";
