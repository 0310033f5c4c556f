/** How often the event loop turned while something was done. */
export async function turnsOf<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly turns: number }> {
  let [turns, isDone] = [0, false];
  const turn = (): void => {
    turns += 1;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  const result = await work().finally(() => {
    isDone = true;
  });
  return { result, turns };
}

/** The milliseconds of a processor that something takes. */
export async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const from = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1_000;
}
