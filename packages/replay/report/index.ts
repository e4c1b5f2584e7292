export { createReport, type Report } from "./report.ts";
export { formatReport } from "./tables.ts";
export { layOutTable, markdownTable, wrapText } from "./text-table.ts";
