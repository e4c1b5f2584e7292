export { answerRecall } from "./answer.ts";
