const NUMBER = /^-?\d+(\.\d+)?$/;

/**
 * A cell by RFC 4180. Text that a spreadsheet would run as a formula gets an apostrophe in front: much of it comes from
 * others. A negative number is none.
 */
export function cell(value: string | number | null): string {
  const text = String(value ?? '');
  const safe = /^[=+\-@\t\r]/.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A line of a table. */
export const lineOf = (cells: readonly (string | number | null)[]): string => `${cells.map(cell).join(',')}\r\n`;
