export { invalidField, ProtocolFault } from './fault.ts';
export { FrameFault, FrameReader, frameOf } from './frame.ts';
export { faultText, isObject, paramsOf, readRequest, readResponse, requestText, resultText, type Request, type Response } from './message.ts';
export { EVIDENCE_SCHEMA, MAX_PAYLOAD_BYTES, PROTOCOL, PROVIDER, RUN_SCHEMA } from './protocol.ts';
export type * from './records.ts';
