export { ServedState } from './served-state.ts';
