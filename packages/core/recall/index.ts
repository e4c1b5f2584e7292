export { createRecallIndex, type Found, RECALL, type RecallIndex, type RecallPart } from "./recall.ts";
