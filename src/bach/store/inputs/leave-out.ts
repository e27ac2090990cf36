/** Whether any of some paths, or anything beneath them, is among sorted paths. */
export function isTouched(paths: readonly string[], except: readonly string[]): boolean {
  return except.some((path) => path === '.' || isAmong(paths, path));
}

/**
 * Paths without some of them and without all beneath those. Beneath the one that the search itself started in, nothing
 * is left out.
 */
export function leaveOut(paths: readonly string[], { except, start }: { readonly except: readonly string[]; readonly start: string }): readonly string[] {
  const isOut = (path: string, left: string): boolean => path === left || (isBelow(path, left) && !isBelow(start, left) && start !== left);
  return paths.filter((path) => !except.some((left) => isOut(path, left)));
}

function isAmong(paths: readonly string[], path: string): boolean {
  return paths[firstFrom(paths, path)] === path || isBelow(paths[firstFrom(paths, `${path}/`)] ?? '', path);
}

function isBelow(path: string, folder: string): boolean {
  return folder === '.' || path.startsWith(`${folder}/`);
}

/** The index of the first one that is not before `sought`. */
function firstFrom(paths: readonly string[], sought: string): number {
  let low = 0;
  let high = paths.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((paths[middle] ?? '') < sought) low = middle + 1;
    else high = middle;
  }
  return low;
}
