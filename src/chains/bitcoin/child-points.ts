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
 * `parent` plus each of `tweaks` times the base point; 32 bytes each, below the order of the curve. Each is the sum of
 * some thirty points, one for a byte. All of them are added in pairs, and then their sums, so that six inversions serve
 * the whole batch: a quarter of the time that one takes by itself. Nothing here is secret. Undefined where two points
 * to be added have the same x, which happens once in 2^250 times, or where the sum of all is not what the library makes
 * of it: then the library derives each. The tables have to be there.
 */
export function addMultiples(parent: Affine, tweaks: readonly Uint8Array[]): Affine[] | undefined {
  let terms: readonly (readonly Affine[])[] = tweaks.map((tweak) => [parent, ...multiplesOf(tweak)]);
  while (terms.some(({ length }) => length > 1)) {
    const added = addPairs(terms);
    if (added === undefined) return undefined;
    terms = added;
  }
  const sums = terms.map(([sum]) => sum as Affine);
  return sums.every(isOnCurve) && isTheirSum(sums, parent, tweaks) ? sums : undefined;
}

/** What the bytes of a tweak stand for; none for a byte that is 0. */
function multiplesOf(tweak: Uint8Array): Affine[] {
  const found: Affine[] = [];
  for (const [place, table] of tables.entries()) {
    const multiple = table[(tweak[BYTES - 1 - place] as number) - 1];
    if (multiple !== undefined) found.push(multiple);
  }
  return found;
}

/** Half as many terms with the same sums. */
function addPairs(terms: readonly (readonly Affine[])[]): Affine[][] | undefined {
  const distances = terms.flatMap((points) => {
    const found: bigint[] = [];
    for (let at = 1; at < points.length; at += 2) found.push(mod(points[at]!.x - points[at - 1]!.x));
    return found;
  });
  if (distances.includes(0n)) return undefined;
  const inverses = FpInvertBatch(Point.Fp, distances);
  let pair = 0;
  return terms.map((points) => {
    const sums: Affine[] = [];
    for (let at = 1; at < points.length; at += 2) sums.push(add(points[at - 1]!, points[at]!, inverses[pair++]!));
    if (points.length % 2 === 1) sums.push(points.at(-1)!);
    return sums;
  });
}

/** The sum of two points; `inverse` is that of how far apart their x are. */
function add(one: Affine, other: Affine, inverse: bigint): Affine {
  const slope = ((other.y - one.y) * inverse) % P;
  const x = mod(slope * slope - other.x - one.x);
  return { x, y: mod(slope * (one.x - x) - one.y) };
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
