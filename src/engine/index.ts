export type {
  Allowance,
  Closing,
  Decision,
  Ending,
  FailedReceipt,
  Handler,
  Handlers,
  Intent,
  Limits,
  Now,
  OkReceipt,
  Policy,
  Receipt,
  Refusal,
  Settled,
  Standing,
  Step,
  StepContext,
  StepShape,
  StepShapes,
  System,
  Timing,
  UnknownReceipt,
} from './contract.ts';
export { folderPorts } from './folder-ports.ts';
export { readStepLog } from './log.ts';
export { runSystem, type RunOptions } from './loop.ts';
export type { EnginePorts } from './ports.ts';
export { failed, isNotDone, notDone, ok, unknown } from './receipts.ts';
export { registerSteps, type RegisteredSteps, type StepRows, type StepWrite } from './registry.ts';
export { replay, type Replay } from './replay.ts';
export { readStatus, type RunStanding, type RunStatus } from './status.ts';
export { checkCrashes, type CrashOptions, type CrashReport } from './crash/check.ts';
export type { CrashHost } from './crash/child.ts';
export { scenariosOf } from './crash/program.ts';
export type { CrashPlace, CrashScenario } from './crash/scenario.ts';
export { noSuchScenario, selftestMissing } from './errors.ts';
export { endingLeftovers } from './leftovers.ts';
