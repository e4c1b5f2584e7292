export { compareTo, createReport, type Report } from "./report.ts";
export { formatReport, markdownTable, wrapText } from "./tables.ts";
