import { CLOCK_OFF_MS, describeClockOff, measureClockAhead } from '../../src/db/clock-offset.ts';
import { SECOND_MS } from '../../src/lib/clock.ts';
import { type Line, ok, type Patient, problem } from './line.ts';

/**
 * Whether this machine's clock is as the database's. By one that is off, signed requests and codes are refused, and the
 * receivers of webhooks refuse ours, while every statement goes well.
 */
export async function examineClock({ db }: Pick<Patient, 'db'>): Promise<Line[]> {
  const found = describeClockOff(await measureClockAhead(db));
  if (found === null)
    return [ok(`of this machine: as that of the database, within ${CLOCK_OFF_MS / SECOND_MS} seconds`)];
  return [
    problem(
      `this machine is ${found}: signed requests and codes of second factors are refused, and receivers refuse webhooks; ` +
        'set the clock that is wrong, and let NTP keep both',
    ),
  ];
}
