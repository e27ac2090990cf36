export { compositeCycle, type CompositeCycle } from './composite-cycle.ts';
export { executionGraph, type ExecutionGraph } from './graph.ts';
export type { GraphTarget, PlanEdge } from './graph-target.ts';
export { completionLine, pipelineHeaders, targetLabel, timeoutMessage } from './lines.ts';
export { planRun, type Plan, type PlanFailure } from './plan.ts';
export type { Cause, Command, Completion, RunResult, SchedulerEvent } from './protocol.ts';
export { Scheduler, type SchedulerOptions } from './scheduler.ts';
