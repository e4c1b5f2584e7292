export { element, type Markup } from "./document.ts";
export { formatPage } from "./replay-page.ts";
export { reportPath, writeReport } from "./session-page.ts";
