export { type Parts, ratioOf, ratios, type SessionFigures } from "./figures.ts";
export { drawSessions, type Interval, intervalOf, projectOf } from "./intervals.ts";
export { createReport, type Report } from "./report.ts";
export { formatReport } from "./tables.ts";
export { layOutTable, markdownTable, wrapText } from "./text-table.ts";
