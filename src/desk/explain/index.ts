export type { ErrorEntry } from './entry.ts';
export { allErrors, errorCodes, errorsOf } from './lookup.ts';
