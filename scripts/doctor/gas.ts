import { SHARE_MAX } from '../../src/payments/gas-share.ts';
import type { Network } from '../../src/ports/chain.ts';
import { SOURCES_MIN } from '../../src/rates/judge.ts';
import { findStored } from '../../src/settings/queries.ts';
import { type Line, ok, type Patient, problem, warning } from './line.ts';

/**
 * Whether what we pay gas for is compared with its price. Without one a charge goes on (gasPriceMaxGwei alone holds),
 * and live no signed transfer of a payer does.
 */
export async function examineGas(patient: Patient): Promise<Line[]> {
  const { overrides } = await findStored(patient.db);
  const manual = Object(overrides['manualRates']) as Readonly<Record<string, string>>;
  const isPriced = (coin: string): boolean =>
    Object.hasOwn(manual, `${coin}/USD`) ||
    patient.config.rateSources.filter(({ pair }) => pair === `${coin}/USD`).length >= SOURCES_MIN;
  return [...examineCharges(patient, isPriced), ...examineRelays(patient, overrides, isPriced)];
}

type IsPriced = (coin: string) => boolean;

const examineCharges = ({ config }: Patient, isPriced: IsPriced): Line[] =>
  config.networks
    .filter(({ collector }) => collector !== null)
    .map(({ name, coin, maxGasShare }) => {
      if (coin === undefined) return ok(`${name}: charges are not compared with their gas; name its coin to have that`);
      return isPriced(coin)
        ? ok(`${name}: charges wait while gas costs more than ${(maxGasShare ?? SHARE_MAX) * 100} % of them`)
        : ok(`${name}: charges are not compared with their gas; name two sources of ${coin}/USD in rates to have that`);
    });

/** What the setting relayMinAmount turns on, and is off without it. */
function examineRelays({ config }: Patient, overrides: Readonly<Record<string, unknown>>, isPriced: IsPriced): Line[] {
  const isOn = typeof overrides['relayMinAmount'] === 'string';
  if (config.mode !== 'live' || !isOn) return [];
  const needsKey = config.sweepKey === null && config.roles.includes('scheduler');
  return [
    ...config.networks.filter(hasSignedTransfers).map(({ name, coin }) => {
      if (coin === undefined) return problem(`${name}: no signed transfer is taken before its coin is named`);
      return isPriced(coin)
        ? ok(`${name}: signed transfers are sent while gas has a price`)
        : problem(`${name}: no signed transfer is taken before rates has two sources of ${coin}/USD`);
    }),
    ...(needsKey ? [warning('relayMinAmount is set, and this process has no SWEEP_KEY: another one has to')] : []),
  ];
}

const hasSignedTransfers = ({ tokens }: Pick<Network, 'tokens'>): boolean =>
  tokens.some(({ authorization, permit2 }) => authorization !== undefined || permit2 === true);
