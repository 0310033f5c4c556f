import type { Figure } from './figure.ts';

/** Prints a line of what was measured, and returns it. */
export function tell<T extends { readonly name: string }>(measured: T, ...keys: (keyof T)[]): T {
  const parts = keys.map((key) => `${String(key)} ${Number(measured[key]).toFixed(key === 'statements' ? 0 : 2)}`);
  process.stderr.write(`  ${measured.name.padEnd(44)}${parts.join('  ')}\n`);
  return measured;
}

type Worst<T> = Pick<Figure, 'name' | 'unit' | 'limit'> & { readonly detail: (worst: T) => string };

/** The worst of what was measured; none if nothing was. */
export function figureOf<T>(
  measured: readonly T[],
  value: (each: T) => number,
  { detail, ...rest }: Worst<T>,
): Figure[] {
  const worst = measured.toSorted((a, b) => value(b) - value(a))[0];
  return worst === undefined ? [] : [{ ...rest, value: value(worst), detail: detail(worst) }];
}
