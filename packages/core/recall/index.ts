export { RECALL } from "../transcript/tool-table.ts";
export { createRecallIndex, type Found, type RecallIndex, type RecallPart } from "./recall.ts";
