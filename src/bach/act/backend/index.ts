export { ExternalRunRecords, type ExternalEnd } from './external-records.ts';
export { serveBackend } from './serve.ts';
