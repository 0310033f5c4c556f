/** What one reading of the coin may still ask an endpoint. */
export type Questions = {
  /** Takes so many questions, all or none; false when fewer are left. */
  readonly take: (count: number) => boolean;
};

/** A budget of `max` questions, for one reading. */
export function createQuestions(max: number): Questions {
  let left = max;
  return {
    take: (count) => {
      if (count > left) return false;
      left -= count;
      return true;
    },
  };
}
