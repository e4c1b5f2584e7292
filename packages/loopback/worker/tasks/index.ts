export { LINKED_ROUND, makeHardTasks, makeRecallTasks, makeTasks, type Task } from "./tasks.ts";
