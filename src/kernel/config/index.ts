export { ALL_DROVER_KEYS, DROVER_KEYS } from './drover-keys.ts';
export { declareKey, variableOf, type ConfigKey } from './key.ts';
export { loadConfig, type Config, type ConfigSources, type Setting } from './load.ts';
export { formatOrigin, type Origin } from './origin.ts';
export { expandHome, projectRoot, stateFolder, type Environment } from './places.ts';
export { readQuietHours } from './quiet-hours.ts';
export type { FlagValue } from './text-layers.ts';
export { duration, listOf, oneOf, textThat, truth, whole, type PlainValue, type ValueType } from './value-type.ts';
export { webhookProblem } from './webhook-address.ts';
