import pg from 'pg';
import { expect, test } from 'vitest';
import { parseTime, TIME_OID } from '../../src/db/times.ts';

const byPg = pg.types.getTypeParser(TIME_OID, 'text') as (text: string) => unknown;

test('reads a time of PostgreSQL as pg does, however it is written', () => {
  const usual = ['2026-11-28 02:10:06', '2024-02-29 23:59:59', '1970-01-01 00:00:00', '9999-12-31 23:59:59'];
  const fractions = ['', '.1', '.12', '.123', '.1234', '.12345', '.123456', '.000001', '.999999', '.5', '.05', '.005'];
  const zones = ['+00', '+01', '-03', '+05:30', '+00:00:01'];
  const texts = usual.flatMap((at) => fractions.flatMap((part) => zones.map((zone) => `${at}${part}${zone}`)));
  const unusual = [
    'infinity',
    '-infinity',
    '0044-03-15 12:00:00+00',
    '0044-03-15 12:00:00+00 BC',
    '12026-01-02 03:04:05+00',
  ];
  for (const text of [...texts, ...unusual]) expect([text, parseTime(text)]).toEqual([text, byPg(text)]);
});
