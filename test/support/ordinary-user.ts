const ROOT = 0;
const NOBODY = 65_534;

/** Does `work` without the rights of root, which no permission stops; for everybody else it changes nothing. */
export async function asOrdinaryUser<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  if (process.geteuid?.() !== ROOT) return work();
  process.seteuid?.(NOBODY);
  try {
    return await work();
  } finally {
    process.seteuid?.(ROOT);
  }
}
