export const PROTOCOL = 'bach.backend.v1';
export const RUN_SCHEMA = 'bach.backend.run.v1';
export const EVIDENCE_SCHEMA = 'bach.backend.evidence_ref.v1';

/** Bytes of the headers of one message, with all their line ends. */
export const MAX_HEADER_BYTES = 16_384;
export const MAX_PAYLOAD_BYTES = 8_388_608;

/** What the bundled provider serves in this release. */
export const PROVIDER = {
  protocol: PROTOCOL,
  provider: 'bach-sqlite',
  version: 'v1',
  capabilities: ['runs', 'evidence_refs'],
  limits: { max_header_bytes: MAX_HEADER_BYTES, max_payload_bytes: MAX_PAYLOAD_BYTES },
} as const;
