/** What moved from one address to another. */
type Rung = { readonly from: string; readonly to: string; readonly units: bigint };

const WIDE = 10n ** 18n;
const WIDTHS = 45;

/** Transfers of a payout, and so many rungs by which its money comes back: each way is longer than the one before. */
export const ladder = (rungs: number, payer: string, destination: string, nameOf = (name: string) => name): Rung[] => [
  { from: payer, to: destination, units: WIDE },
  ...Array.from({ length: rungs }, (_, i) => [
    { from: i === 0 ? destination : nameOf(`a${i - 1}`), to: nameOf(`a${i}`), units: WIDE },
    { from: nameOf(`a${i}`), to: nameOf(`b${i}`), units: 2n ** BigInt(i % WIDTHS) },
    { from: nameOf(`b${i}`), to: i === 0 ? payer : nameOf(`b${i - 1}`), units: WIDE },
  ]).flat(),
];
