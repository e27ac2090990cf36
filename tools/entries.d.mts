export const EXTERNAL: readonly (string | RegExp)[];
