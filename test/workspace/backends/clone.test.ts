import { cloneBackend } from '../../../src/workspace/backends/clone.ts';
import { backendContract } from './contract.ts';

backendContract('clone', cloneBackend);
