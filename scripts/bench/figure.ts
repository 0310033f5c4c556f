/** A measured ratio or amount, with its limit. */
export type Figure = {
  readonly name: string;
  readonly value: number;
  readonly unit?: string;
  readonly limit: { readonly atLeast: number } | { readonly atMost: number } | null;
  readonly detail: string;
};

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
};

export const percentile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
};

export const holds = ({ value, limit }: Figure): boolean =>
  limit === null || ('atLeast' in limit ? value >= limit.atLeast : value <= limit.atMost);

/** The table that `npm run bench` prints. */
export function renderFigures(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [
    holds(figure) ? 'ok' : 'MISSED',
    figure.name,
    `${figure.value.toFixed(2)}${figure.unit ? ` ${figure.unit}` : ''}`,
    figure.limit === null
      ? ''
      : 'atLeast' in figure.limit
        ? `at least ${figure.limit.atLeast}`
        : `at most ${figure.limit.atMost}`,
    figure.detail,
  ]);
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
