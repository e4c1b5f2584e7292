export {
	drawMark,
	type FrameMark,
	type FrameTag,
	frame,
	MARK_ENTRY,
	makeHarmless,
	readMark,
	unframe,
} from "./frames.ts";
export { assembleGuidance, assemblePreamble, assemblePrompt, basePrompt, episodeGuidance } from "./prompt.ts";
export { toolText, toolWords } from "./tool-definitions.ts";
