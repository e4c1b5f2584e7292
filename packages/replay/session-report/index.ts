export { makeReport } from "./make-report.ts";
