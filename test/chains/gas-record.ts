import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';

const TOLERANCE = 0.02;

/**
 * Expects the measured gas to be within 2 % of the recorded figures. Run once with RECORD_GAS=1 to record new figures,
 * and commit them with their reason.
 */
export function expectRecordedGas(file: URL, measured: Readonly<Record<string, number>>): void {
  if (process.env['RECORD_GAS'] === '1') writeFileSync(file, `${JSON.stringify(measured, null, 2)}\n`);
  const recorded = JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>;
  expect(Object.keys(measured)).toEqual(Object.keys(recorded));
  for (const [what, gas] of Object.entries(measured)) {
    const change = gas / recorded[what]! - 1;
    expect(Math.abs(change), `${what}: ${gas} gas, recorded ${recorded[what]}`).toBeLessThanOrEqual(TOLERANCE);
  }
}
