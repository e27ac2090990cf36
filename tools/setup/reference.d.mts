export const REFERENCE_FOLDERS: readonly string[];
export function referenceFiles(root: string): readonly { readonly path: string; readonly text: string }[];
