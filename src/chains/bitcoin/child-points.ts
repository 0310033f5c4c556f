import { normalizeZ } from '@noble/curves/abstract/curve.js';
import { FpInvertBatch } from '@noble/curves/abstract/modular.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bytesToNumberBE } from '@noble/curves/utils.js';

const { Point } = secp256k1;
const { ORDER: P } = Point.Fp;
const BYTES = 32;
const DIGITS = 255;

/** A point by its coordinates. */
export type Affine = { readonly x: bigint; readonly y: bigint };
type ProjectivePoint = typeof Point.BASE;

/** The multiples 1 to 255 of 256^n times the base point, for every n that was asked for so far. */
const tables: (readonly Affine[])[] = [];
let base: ProjectivePoint = Point.BASE;

/**
 * Makes another table, which takes two milliseconds, until there are all 32. Returns whether there are: nothing waits
 * for all of them at once.
 */
export function prepareTables(): boolean {
  if (tables.length === BYTES) return true;
  const points = [base];
  while (points.length < DIGITS) points.push((points.at(-1) as ProjectivePoint).add(base));
  base = (points.at(-1) as ProjectivePoint).add(base);
  tables.push(normalizeZ(Point, points).map((point) => point.toAffine()));
  return tables.length === BYTES;
}

/**
 * `parent` plus each of `tweaks` times the base point; 32 bytes each, below the order of the curve. Adds a byte of all
 * of them at a time, so that one inversion serves all: less than half of the time that one takes by itself. Nothing
 * here is secret. Undefined where two points to be added have the same x, which happens once in 2^250 times, or where
 * the sum of all is not what the library makes of it: then the library derives each. The tables have to be there.
 */
export function addMultiples(parent: Affine, tweaks: readonly Uint8Array[]): Affine[] | undefined {
  let sums: Affine[] = tweaks.map(() => parent);
  for (const [place, table] of tables.entries()) {
    const added = tweaks.map((tweak) => table[(tweak[BYTES - 1 - place] as number) - 1]);
    const distances = sums.map(({ x }, at) => mod((added[at]?.x ?? x + 1n) - x));
    if (distances.includes(0n)) return undefined;
    const inverses = FpInvertBatch(Point.Fp, distances);
    sums = sums.map((sum, at) => {
      const other = added[at];
      if (other === undefined) return sum; // The byte is 0.
      const slope = ((other.y - sum.y) * inverses[at]!) % P;
      const x = mod(slope * slope - other.x - sum.x);
      return { x, y: mod(slope * (sum.x - x) - sum.y) };
    });
  }
  return sums.every(isOnCurve) && isTheirSum(sums, parent, tweaks) ? sums : undefined;
}

const isOnCurve = ({ x, y }: Affine): boolean => mod(y * y - x * x * x - 7n) === 0n;

/** An address that is wrong is money that is lost, so the library has a word in each batch. */
function isTheirSum(sums: readonly Affine[], parent: Affine, tweaks: readonly Uint8Array[]): boolean {
  if (sums.length === 0) return true;
  const tweak = Point.Fn.create(tweaks.reduce((total, each) => total + bytesToNumberBE(each), 0n));
  const theirs = Point.fromAffine(parent).multiplyUnsafe(BigInt(sums.length)).add(Point.BASE.multiplyUnsafe(tweak));
  const points = sums.map((sum) => Point.fromAffine(sum));
  return points.reduce((total, each) => total.add(each), Point.ZERO).equals(theirs);
}

function mod(value: bigint): bigint {
  const rest = value % P;
  return rest < 0n ? rest + P : rest;
}
