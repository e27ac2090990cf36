/** Borne by everything that a run starts. */
export const MARKER_NAME = 'DROVER_RUN';
/** Borne by everything that one child starts. */
export const TOKEN_NAME = 'DROVER_CHILD';
