export {
	alertText,
	answerHealth,
	answerLater,
	answerNext,
	answerSaving,
	describeEffect,
	keptText,
	momentText,
	WHILE_OFF,
	worthText,
} from "./answers.ts";
export { explainBudget, type NamedBlocker, nameBlocker } from "./budget-text.ts";
export { nearestName, suggestName } from "./nearest.ts";
export { panelLines, panelText } from "./panel.ts";
export { listedEpisodes } from "./panel-episodes.ts";
export { firstPanel, type PanelAction, pressKey } from "./panel-keys.ts";
export {
	createSizes,
	episodeSizes,
	freedText,
	passSizes,
	reportDecision,
	type Sizes,
	showTokens,
} from "./sizes.ts";
export {
	boundaryLine,
	describeMadePass,
	footerLine,
	levelText,
	nameEpisodes,
	ownMessages,
} from "./status-lines.ts";
export { hang, type Line, paintLine, shorten, type Tone, widthOf } from "./terminal-text.ts";
