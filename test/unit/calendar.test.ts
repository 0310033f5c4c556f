import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Interval, periodIndexAt, periodStart } from '../../src/lib/calendar.ts';

const MONTHS = 60;
const TIMES = ['00:00:00.000Z', '12:34:56.789Z', '23:59:59.999Z'];
const INTERVALS: readonly Interval[] = ['daily', 'weekly', 'monthly', 'yearly'];

/** Computed without Date, so that it cannot share a fault with the code under test. */
const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
const lengthOf = (year: number, month: number): number =>
  month === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
const pad = (value: number): string => String(value).padStart(2, '0');

function boundaryOf(year: number, month: number, day: number, time: string, months: number): string {
  const count = year * 12 + month - 1 + months;
  const [toYear, toMonth] = [Math.floor(count / 12), (count % 12) + 1];
  return `${toYear}-${pad(toMonth)}-${pad(Math.min(day, lengthOf(toYear, toMonth)))}T${time}`;
}

const dateOf = (year: number, month: number, day: number, time = '00:00:00.000Z'): Date =>
  new Date(`${year}-${pad(month)}-${pad(day)}T${time}`);

const boundaries = (anchor: Date, interval: Interval, count: number): string[] =>
  Array.from({ length: count }, (_, index) => periodStart(anchor, interval, index).toISOString());

describe('monthly and yearly periods', () => {
  const days = Array.from({ length: 31 }, (_, index) => index + 1);
  test.each(days)('fall on day %i for 60 months, from every month that has that day, at every time of day', (day) => {
    for (let month = 1; month <= 12; month += 1) {
      if (day > lengthOf(2026, month)) continue;
      for (const time of TIMES) {
        const wanted = Array.from({ length: MONTHS + 1 }, (_, index) => boundaryOf(2026, month, day, time, index));
        expect(boundaries(dateOf(2026, month, day, time), 'monthly', MONTHS + 1)).toEqual(wanted);
      }
    }
  });

  test('fall on the last day of a shorter month, and return to the anchor day afterwards', () => {
    expect(boundaries(dateOf(2027, 1, 31), 'monthly', 6).map((text) => text.slice(0, 10))).toEqual([
      '2027-01-31',
      '2027-02-28',
      '2027-03-31',
      '2027-04-30',
      '2027-05-31',
      '2027-06-30',
    ]);
    expect(periodStart(dateOf(2027, 12, 31), 'monthly', 2)).toEqual(dateOf(2028, 2, 29));
  });

  test('anchored on 29 February fall on the 28th in common years, 2100 included', () => {
    const years = boundaries(dateOf(2092, 2, 29, '23:59:59.999Z'), 'yearly', 14).map((text) => text.slice(0, 10));
    const wanted = Array.from({ length: 14 }, (_, index) => `${2092 + index}-02-${isLeap(2092 + index) ? 29 : 28}`);
    expect(years).toEqual(wanted);
    expect(wanted[8]).toBe('2100-02-28');
    expect(boundaries(dateOf(2028, 2, 29), 'yearly', 5)[4]).toBe('2032-02-29T00:00:00.000Z');
    expect(periodStart(dateOf(2100, 1, 31), 'monthly', 1)).toEqual(dateOf(2100, 2, 28));
  });
});

describe('the period that contains an instant', () => {
  const anchors = fc.date({
    min: new Date('2024-01-01T00:00:00Z'),
    max: new Date('2105-12-31T23:59:59Z'),
    noInvalidDate: true,
  });
  const interval = fc.constantFrom(...INTERVALS);

  test('starts at its boundary, to the millisecond, at any distance from the anchor', () => {
    fc.assert(
      fc.property(anchors, interval, fc.integer({ min: -500, max: 5000 }), (anchor, each, index) => {
        const start = periodStart(anchor, each, index);
        const before = new Date(start.getTime() - 1);
        expect([periodIndexAt(anchor, each, start), periodIndexAt(anchor, each, before)]).toEqual([index, index - 1]);
      }),
      { numRuns: 1000 },
    );
  });

  test('lies between two consecutive boundaries', () => {
    fc.assert(
      fc.property(anchors, anchors, interval, (anchor, at, each) => {
        const index = periodIndexAt(anchor, each, at);
        expect(periodStart(anchor, each, index) <= at && at < periodStart(anchor, each, index + 1)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});

test('daily and weekly periods have 24 and 168 hours, across changes of daylight saving time too', () => {
  const anchor = dateOf(2026, 10, 24, '01:30:00.000Z');
  expect(boundaries(anchor, 'daily', 3)[2]).toBe('2026-10-26T01:30:00.000Z');
  expect(boundaries(anchor, 'weekly', 3)[2]).toBe('2026-11-07T01:30:00.000Z');
});

test("the machine's time zone has no effect", () => {
  const code = `
    import { periodIndexAt, periodStart } from './src/lib/calendar.ts';
    const compute = (zone) => {
      process.env.TZ = zone;
      const results = [];
      for (const text of ['2026-01-31T23:59:59.999Z', '2026-03-08T06:59:00Z', '2026-11-01T00:00:00Z', '2028-02-29T02:30:00Z'])
        for (const interval of ['daily', 'weekly', 'monthly', 'yearly'])
          for (let index = 0; index < 60; index += 1) {
            const start = periodStart(new Date(text), interval, index);
            results.push(start.toISOString() + periodIndexAt(new Date(text), interval, start));
          }
      return { offset: new Date(2026, 6, 1).getTimezoneOffset(), results };
    };
    console.log(JSON.stringify(['UTC', 'America/New_York', 'Asia/Colombo'].map(compute)));`;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', code]).toString();
  const zones: { offset: number; results: string[] }[] = JSON.parse(output);
  expect(zones.map(({ offset }) => offset)).toEqual([0, 240, -330]); // The zones did take effect.
  expect(zones[0]?.results).toHaveLength(960);
  expect([zones[1]?.results, zones[2]?.results]).toEqual([zones[0]?.results, zones[0]?.results]);
});
