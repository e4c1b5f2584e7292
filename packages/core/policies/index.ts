export { cwl } from "./cwl.ts";
export { paper, paperAdapted } from "./paper.ts";
