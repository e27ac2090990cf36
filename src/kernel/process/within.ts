/** Resolves when `event` does, or when the time is over; its timer is gone then. Rejects as `event` does. */
export async function within(milliseconds: number, event: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  try {
    await Promise.race([event, patience]);
  } finally {
    clearTimeout(timer);
  }
}
