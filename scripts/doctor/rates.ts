import { describeAge, SECOND_MS } from '../../src/lib/clock.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { formatUnits, RATE_DECIMALS } from '../../src/lib/money.ts';
import { SOURCES_MIN, USABLE_MS } from '../../src/rates/judge.ts';
import { findRate } from '../../src/rates/queries.ts';
import { findStored } from '../../src/settings/queries.ts';
import { type Line, ok, type Patient, problem, warning } from './line.ts';

/** The rate of each coin that payments are taken in, where it comes from, and how old it is. */
export async function examineRates({ config, db }: Patient): Promise<Line[]> {
  const takenOn = Map.groupBy(
    config.networks.filter(({ native }) => native !== undefined),
    ({ native }) => native?.symbol ?? '',
  );
  if (takenOn.size === 0) return [ok('payments are taken in no coin whose price moves')];
  const manual = Object((await findStored(db)).overrides['manualRates']) as Readonly<Record<string, string>>;
  const now = Date.now();
  return Promise.all(
    [...takenOn].map(async ([coin, networks]) => {
      const pair = `${coin}/USD`;
      const where = `${coin} is taken on ${networks.map(({ name }) => name).join(', ')}`;
      const byHand = Object.hasOwn(manual, pair) ? manual[pair] : undefined;
      if (byHand !== undefined) {
        return warning(
          `${pair} is ${byHand}, set by hand: ${where}, and it does not follow the market until it is unset`,
        );
      }
      const sources = config.rateSources.filter((each) => each.pair === pair).length;
      if (sources < SOURCES_MIN) {
        return problem(
          `${where}, and rates names ${sources} of the ${SOURCES_MIN} sources that ${pair} needs: add some`,
        );
      }
      return examineRate(db, { pair, where, sources, now });
    }),
  );
}

type Rate = { readonly pair: string; readonly where: string; readonly sources: number; readonly now: number };

async function examineRate(db: Db, { pair, where, sources, now }: Rate): Promise<Line> {
  const found = await findRate(db, pair);
  if (found === undefined) {
    return warning(`${pair}: its ${sources} sources were not asked yet: start a process with the role scheduler`);
  }
  const ageMs = Math.max(0, now - found.quotedAt.getTime());
  const rate = `${pair} is ${formatUnits(found.valueE8, RATE_DECIMALS)}, ${describeAge(Math.max(SECOND_MS, ageMs))} old`;
  if (ageMs <= USABLE_MS) return ok(`${rate}, the median of up to ${sources} sources`);
  return problem(
    `${rate}, too old to be asked by: ${where}, and no payment is offered it until its sources agree; the incident ` +
      'rates.refused says what they answer',
  );
}
