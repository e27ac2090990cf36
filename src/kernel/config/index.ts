export { readDailyHours } from './daily-hours.ts';
export { declareKey, variableOf, type ConfigKey } from './key.ts';
export { loadConfig, type Config, type ConfigSources, type Setting } from './load.ts';
export { formatOrigin, type Origin } from './origin.ts';
export { expandHome, projectRoot, stateFolder, type Environment } from './places.ts';
export { postProblem } from './post-address.ts';
export type { FlagValue } from './text-layers.ts';
export {
  absolutePlace,
  dailyHours,
  duration,
  listOf,
  oneOf,
  postAddress,
  textThat,
  truth,
  variableName,
  variableNames,
  whole,
  type PlainValue,
  type ValueType,
} from './value-type.ts';
