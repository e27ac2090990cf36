export const BESIDE: Readonly<Record<string, string>>;
export const EXTERNAL: readonly (string | RegExp)[];
