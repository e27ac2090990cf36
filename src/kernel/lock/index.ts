export { isHeld, tryLock, type Lock } from './lock.ts';
