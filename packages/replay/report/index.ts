export { createReport, type Report } from "./report.ts";
export { formatReport, layOutTable, markdownTable, wrapText } from "./tables.ts";
