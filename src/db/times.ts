import pg from 'pg';

/** The type `timestamptz`. */
export const TIME_OID = 1184;

/** A time as PostgreSQL writes nearly all: in UTC, with four digits of the year, and of seconds what is not zero. */
const USUAL = '2026-01-02 03:04:05.123456+00';
const [SECONDS_END, FRACTION] = [19, 20];

const parseUnusual = pg.types.getTypeParser(TIME_OID, 'text') as (text: string) => Date;

/**
 * A time, cut to milliseconds, as pg makes it, in a third of the time: a row of ours has up to ten. What is written in
 * any other way (another zone, infinity, years before 1000) is left to pg.
 */
export function parseTime(text: string): Date {
  const end = text.length - 3;
  const isUsual = text.endsWith('+00') && end >= SECONDS_END && end <= USUAL.length - 3;
  if (!isUsual || text[4] !== '-' || text[0] === '0') return parseUnusual(text);
  const millis = end <= FRACTION ? 0 : Number(text.slice(FRACTION, Math.min(end, FRACTION + 3)).padEnd(3, '0'));
  const [year, month, day] = [digits(text, 0, 4), digits(text, 5, 7), digits(text, 8, 10)];
  return new Date(
    Date.UTC(year, month - 1, day, digits(text, 11, 13), digits(text, 14, 16), digits(text, 17, 19), millis),
  );
}

function digits(text: string, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at += 1) value = value * 10 + text.charCodeAt(at) - 48;
  return value;
}
