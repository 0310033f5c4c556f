/** An attempt of another process ends without a word to this one, so those who wait look again by themselves. */
const LOOK_AGAIN_MS = 250;
const PER_ACCOUNT_MAX = 64;
const STRANGERS_MAX = 256;

/** Who waits in this process until other attempts at the same account are checked. */
export type Waiting = {
  /** Resolves at the next `wake` of the account, or a little later by itself; false at once when too many wait. */
  readonly wait: (account: string, isKnown: boolean) => Promise<boolean>;
  readonly wake: (account: string) => void;
};

/** Strangers can fill neither the room of an account's known devices nor the memory of the process. */
export function createWaiting(): Waiting {
  const rooms = new Map<string, Set<() => void>>();
  let strangers = 0;
  return {
    wait: async (account, isKnown) => {
      const key = `${account} ${isKnown}`;
      const room = rooms.get(key) ?? new Set();
      if (room.size >= PER_ACCOUNT_MAX || (!isKnown && strangers >= STRANGERS_MAX)) return false;
      rooms.set(key, room);
      if (!isKnown) strangers += 1;
      await new Promise<void>((resolve) => {
        const leave = (): void => {
          clearTimeout(timer);
          room.delete(leave);
          if (room.size === 0) rooms.delete(key);
          resolve();
        };
        const timer = setTimeout(leave, LOOK_AGAIN_MS);
        room.add(leave);
      });
      if (!isKnown) strangers -= 1;
      return true;
    },
    wake: (account) => {
      for (const isKnown of [true, false]) for (const leave of [...(rooms.get(`${account} ${isKnown}`) ?? [])]) leave();
    },
  };
}
