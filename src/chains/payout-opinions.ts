import { max, parseMicro } from '../lib/money.ts';
import type { Network, PayoutClaim, PayoutResult } from '../ports/chain.ts';
import type { PayoutMoney } from '../ports/placed.ts';
import { EndpointError } from './json-rpc.ts';
import { refuseForNow } from './payout-rules.ts';

/** An endpoint that can be asked the whole question. */
export type Asker = { readonly name: string; readonly ask: () => Promise<PayoutResult> };

/**
 * What the first endpoint that answers says of a payout. Where the network asks for a second opinion on so much money,
 * another one has to show it, too, and none may show what the first one denies; also where so much of another payout
 * depends on it. See
 * decision withdrawals/second-opinion-on-payouts.
 */
export async function askForPayout(
  { secondOpinionFrom = null }: Pick<Network, 'secondOpinionFrom'>,
  { minMicro, atStake = minMicro, pays }: Pick<PayoutClaim, 'minMicro' | 'atStake' | 'pays'>,
  askers: readonly Asker[],
): Promise<PayoutResult> {
  const { answer, by } = await firstThatAnswers(askers);
  const needsSecond = secondOpinionFrom !== null && max(minMicro, atStake) >= parseMicro(secondOpinionFrom);
  if (!needsSecond) return answer;
  const others = askers.filter((each) => each !== by);
  if (answer.outcome === 'refused') return denialOf(answer, by.name, others, pays);
  return answer.outcome === 'verified' ? secondTo(answer, by.name, others) : answer;
}

type Refusal = PayoutResult & { readonly outcome: 'refused' };

/** The refusal of one endpoint, unless another one shows the payout: a paid payout that is failed is paid twice. */
async function denialOf(
  refusal: Refusal,
  first: string,
  others: readonly Asker[],
  pays: PayoutClaim['pays'],
): Promise<PayoutResult> {
  // It is there, and only not deep enough yet.
  if (refusal.reason === 'payout_not_confirmed') return refusal;
  // At once: one after the other, those that hang would take longer than the one who asks waits.
  const said = await Promise.all(others.map(async ({ name, ask }) => ({ name, other: await ask().catch(() => null) })));
  for (const { name, other } of said) {
    const shows = other && shownBy(other);
    if (!shows) continue;
    const both = `${name} ${shows}; ${first} says: ${refusal.message}`;
    const cure = `Do not fail the ${pays ?? 'withdrawal'} while they differ, or it may be paid twice. Try again.`;
    return {
      ...refuseForNow('payout_not_confirmed', `${both} ${cure}`),
      // One that lags does not know it yet.
      ...(refusal.retryAfterSeconds === undefined && { disagreement: both }),
    };
  }
  const silent = said.filter(({ other }) => other === null).map(({ name }) => name);
  if (silent.length === 0) return refusal;
  const cure = `${silent.join(', ')} did not answer, and may show it: try again before you fail the ${pays ?? 'withdrawal'}.`;
  return refuseForNow(refusal.reason, `${refusal.message} ${cure}`);
}

/** Where an endpoint shows the payout, as the rest of a sentence; null: it does not. */
function shownBy(answer: PayoutResult): string | null {
  if (answer.outcome === 'verified') return `shows the payout in block ${answer.block.height}`;
  // All of it is there, and only not deep enough yet.
  return answer.outcome === 'refused' && answer.reason === 'payout_not_confirmed' ? `says: ${answer.message}` : null;
}

/** The answer that one endpoint gave, if another one gives the same, in the same block; else a refusal for now. */
async function secondTo(
  answer: PayoutResult & { readonly outcome: 'verified' },
  first: string,
  others: readonly Asker[],
): Promise<PayoutResult> {
  const said: string[] = [];
  for (const { name, ask } of others) {
    const other = await ask().catch(() => null);
    if (other === null) said.push(`${name} does not answer`);
    else if (other.outcome === 'refused') said.push(`${name} says: ${other.message}`);
    else if (other.outcome === 'verified' && other.block.hash === answer.block.hash) {
      if (showsSame(answer, other)) return answer;
      said.push(`${name} shows other transfers in that block`);
    } else said.push(`${name} has it in another block`);
  }
  const shown = `${first} shows the payout in block ${answer.block.height}`;
  return {
    ...refuseForNow(
      'payout_not_confirmed',
      `${shown}, but a second endpoint has to show it, too: ${said.join('; ')} Try again.`,
    ),
    ...{ disagreement: `${shown}; ${said.join('; ')}` },
  };
}

/** Whether both show the same money at the same places, those of before included: these say what paid other payouts. */
const showsSame = (one: PayoutMoney, other: PayoutMoney): boolean => describe(one) === describe(other);

const describe = ({ transfers, kept }: PayoutMoney): string =>
  [kept, ...transfers.flatMap(({ index, units, former }) => [index, units, former?.from, former?.to])].join(' ');

/** Asks one endpoint after the other, each the whole question, until one answers it. */
async function firstThatAnswers(
  askers: readonly Asker[],
): Promise<{ readonly answer: PayoutResult; readonly by: Asker }> {
  let failure: unknown;
  for (const by of askers) {
    try {
      return { answer: await by.ask(), by };
    } catch (error) {
      if (!(error instanceof EndpointError)) throw error;
      failure = error;
    }
  }
  throw failure;
}
