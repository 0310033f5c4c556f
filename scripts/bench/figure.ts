type Bound = { readonly atLeast: number } | { readonly atMost: number };

/** A measured ratio or amount, with its limit. */
export type Figure = {
  readonly name: string;
  readonly value: number;
  readonly unit?: string;
  /** What it must hold; a run that misses it fails. */
  readonly limit: Bound | null;
  /** What it should hold one day, where that is more. */
  readonly goal?: number;
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

function boundOf({ limit, goal }: Figure): string {
  if (limit === null) return '';
  const bound = 'atLeast' in limit ? `at least ${limit.atLeast}` : `at most ${limit.atMost}`;
  return goal === undefined ? bound : `${bound}, goal ${goal}`;
}

/** The table that `npm run bench` prints. */
export function renderFigures(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [
    holds(figure) ? 'ok' : 'MISSED',
    figure.name,
    `${figure.value.toFixed(2)}${figure.unit ? ` ${figure.unit}` : ''}`,
    boundOf(figure),
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
