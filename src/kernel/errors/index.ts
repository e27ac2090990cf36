export { defineError, DroverError, isDroverError, type DefinedError, type ErrorDefinition } from './define-error.ts';
export { describeSystemError } from './system-error.ts';
