import { SECOND_MS } from '../lib/clock.ts';
import { formatUnits, MICRO_DECIMALS, rescaleUp } from '../lib/money.ts';
import type {
  Asset,
  BlockRef,
  Network,
  PayoutClaim,
  PayoutMismatch,
  PayoutResult,
  Token,
  Transfer,
} from '../ports/chain.ts';
import type { PayoutMoney } from '../ports/placed.ts';
import { reckonFlow } from './reckoning.ts';

/** What a chain shows of a transaction in one of its canonical blocks. */
export type Sighting = {
  readonly block: BlockRef;
  readonly succeeded: boolean;
  /** All of its transfers of allow-listed tokens. */
  readonly transfers: readonly Transfer[];
  /** The treasuries to which anyone may have deposits swept. */
  readonly sweptTo?: readonly string[];
  /** Null when the block lies as deep as the network asks; else the rest of a sentence that says how deep it lies. */
  readonly shallow: string | null;
};

/** What does not match the claim. */
type Mismatch = { readonly reason: PayoutMismatch; readonly message: string };

/**
 * What a destination got in a transaction, how much of that can have come back to who paid it, and what was due.
 * `back` is null where so many transfers are so entangled that it takes too long to reckon.
 */
type Moved = { readonly got: bigint; readonly back: bigint | null; readonly due: bigint };

/** The same where it was reckoned. */
type Reckoned = Moved & { readonly back: bigint };

/** What is said of a claim; of what fell short also what arrived, because it takes long to reckon. */
export type Verdict = PayoutResult & { readonly short?: Reckoned };

/** After this long a retry is worthwhile. */
const RETRY_SECONDS = 5;
const SENDERS_SHOWN = 3;

/** A refusal that time may cure. See decision withdrawals/retry-after-when-time-cures. */
export const refuseForNow = (reason: PayoutMismatch, message: string): PayoutResult => ({
  outcome: 'refused',
  reason,
  message,
  retryAfterSeconds: RETRY_SECONDS,
});

/** A refusal for good. */
export const refuseForGood = (reason: PayoutMismatch, message: string): PayoutResult => ({
  outcome: 'refused',
  reason,
  message,
});

/**
 * Judges a claim by what the chain shows. It counts the money that the transaction brought the destination: transfers
 * from allowed senders, but no more than it received less what came back from it to who paid, so that money in a circle
 * counts nothing. A mismatch in a block that a reorg may still drop comes with a time to retry.
 * See decision chains/payout-counts-what-stays.
 */
export async function judgePayout(claim: PayoutClaim, token: Asset, sighting: Sighting): Promise<Verdict> {
  const { block, shallow } = sighting;
  const moved = await flowOf(claim, token, sighting);
  const money = isReckoned(moved) ? moneyOf(claim, token, sighting, moved) : null;
  const mismatch = findMismatch(claim, token, sighting, money);
  if (mismatch || money === null) {
    const { reason, message } = mismatch ?? unclear(claim, token);
    const refusal = (shallow === null ? refuseForGood : refuseForNow)(reason, message);
    return reason === 'payout_too_small' && isReckoned(moved) ? { ...refusal, short: moved } : refusal;
  }
  if (shallow === null) return { outcome: 'verified', block, asset: token, ...money };
  const text = `Transaction ${claim.txHash} is as it should be, but ${shallow}. Try again when it is deeper.`;
  return refuseForNow('payout_not_confirmed', text);
}

const isReckoned = (moved: Moved): moved is Reckoned => moved.back !== null;

const paysOf = ({ pays }: PayoutClaim): string => pays ?? 'withdrawal';

/** What is refused for good and was sent for this one would be failed, and paid twice. */
const unlessSent = (claim: PayoutClaim): string =>
  `If it was sent for this one, do not fail the ${paysOf(claim)}, or it is paid twice: have the setting verifyPayoutOnChain turned \
off, complete it, and turn that on again.`;

/** The allow-listed token of the claim, or undefined where this network lists none. */
export const findToken = (network: Network, { token }: Pick<PayoutClaim, 'token'>): Token | undefined =>
  network.tokens.find(({ symbol }) => symbol === token);

function findMismatch(
  claim: PayoutClaim,
  token: Asset,
  sighting: Sighting,
  money: PayoutMoney | null,
): Mismatch | null {
  const { block, succeeded } = sighting;
  const { txHash, notBefore } = claim;
  if (!succeeded) {
    const message = `Transaction ${txHash} reverted in block ${block.height}: it moved nothing. Complete the ${paysOf(claim)} with one that succeeded.`;
    return { reason: 'payout_reverted', message };
  }
  // Blocks are stamped in whole seconds. See decision withdrawals/same-second-is-not-too-early.
  if (Math.floor(block.time.getTime() / SECOND_MS) < Math.floor(notBefore.getTime() / SECOND_MS)) {
    const decided = claim.pays === 'refund' ? 'the refund got its address' : 'the withdrawal was approved';
    const message = `Transaction ${txHash} was mined at ${block.time.toISOString()}, before ${decided} at \
${notBefore.toISOString()}: it seems to have paid for something else. ${unlessSent(claim)}`;
    return { reason: 'payout_too_early', message };
  }
  return findMoneyMismatch(claim, token, sighting.transfers, money);
}

function findMoneyMismatch(
  claim: PayoutClaim,
  token: Asset,
  transfers: readonly Transfer[],
  money: PayoutMoney | null,
): Mismatch | null {
  const { txHash } = claim;
  const destination = claim.destination.toLowerCase();
  const arrived = transfers.filter(({ to }) => to === destination);
  const received = receivedOf(claim, token, transfers);
  if (received.length === 0) return arrived[0] ? wrongToken(claim, arrived[0]) : wrongDestination(claim, transfers);
  if (money === null) return null;

  const { transfers: counted, kept, due } = money;
  const amount = amountIn(token);
  if (kept < due) {
    const message = `Transaction ${txHash} left ${amount(kept)} with ${claim.destination}; at least ${amount(due)} must arrive there in one transaction.`;
    return { reason: 'payout_too_small', message };
  }
  if (sum(counted) < due) {
    const allowed = allowedOf(claim);
    const others = listed(ofOthers(received).flatMap(({ from }) => (allowed.has(from) ? [] : [from])));
    const message = `Transaction ${txHash} sent ${claim.destination} only ${amount(sum(counted))} of ${amount(due)} from the \
wallets that payouts come from (the setting payoutWallets); the rest came from ${others}. If that is a wallet of the platform, do not \
fail the ${paysOf(claim)}, or it is paid twice: have it named in payoutWallets, and complete it.`;
    return { reason: 'payout_wrong_sender', message };
  }
  return null;
}

/** The transfers of the token to the destination. */
const receivedOf = (claim: PayoutClaim, token: Asset, transfers: readonly Transfer[]): Transfer[] =>
  transfers.filter((found) => found.to === claim.destination.toLowerCase() && found.token.contract === token.contract);

/** Those that others sent, of which some may count. */
const ofOthers = (received: readonly Transfer[]): Transfer[] => received.filter(({ from, to }) => from !== to);

/** Base units of a token, for a person. */
const amountIn =
  ({ decimals, symbol }: Asset) =>
  (units: bigint): string =>
    `${formatUnits(units, decimals)} ${symbol}`;

type Money = Pick<Sighting, 'transfers' | 'sweptTo'>;

function moneyOf(claim: PayoutClaim, token: Asset, { transfers }: Money, { got, back, due }: Reckoned): PayoutMoney {
  const received = ofOthers(receivedOf(claim, token, transfers));
  const allowed = allowedOf(claim);
  const counted = allowed.size === 0 ? received : received.filter(({ from }) => allowed.has(from));
  return { transfers: counted.map(({ index, units }) => ({ index, units })), kept: got - back, due };
}

const dueOf = ({ minUnits, minMicro }: PayoutClaim, { decimals }: Asset): bigint =>
  minUnits ?? rescaleUp(minMicro, MICRO_DECIMALS, decimals);

const allowedOf = ({ senders }: PayoutClaim): ReadonlySet<string> =>
  new Set(senders.map((sender) => sender.toLowerCase()));

/**
 * What a destination got from others in a transaction, and how much of that can have come back to who paid it, by
 * whatever way, and no more to anyone than they paid. Wallets that may pay are one. What others bring a treasury that
 * pays may be payments; one that is itself paid gets what it is brought.
 */
export async function flowOf(claim: PayoutClaim, token: Asset, { transfers, sweptTo = [] }: Money): Promise<Moved> {
  const destination = claim.destination.toLowerCase();
  const allowed = allowedOf(claim);
  const payerOf = (address: string): string => (address !== destination && allowed.has(address) ? OURS : address);
  const isSweep = ({ from, to }: Transfer): boolean =>
    sweptTo.includes(to) && from !== destination && to !== destination;
  const moved = transfers
    .filter((each) => each.token.contract === token.contract && !isSweep(each))
    .map(({ from, to, units }) => ({ from: payerOf(from), to: payerOf(to), units }))
    .filter(({ from, to }) => from !== to);
  const arrived = moved.filter(({ to }) => to === destination);
  const given = [...Map.groupBy(arrived, ({ from }) => from)].map(([payer, all]) => [payer, sum(all)] as const);
  const back = await reckonFlow(moved, destination, new Map(given));
  return { due: dueOf(claim, token), got: sum(arrived), back };
}

/**
 * What arrived is the destination's: failed, it would be paid twice. A token may keep a fee of what is sent, and a
 * wallet of Bitcoin may subtract its fee from the amount. A payout that is completed without asking a chain takes its
 * transaction whole, so of several in one transaction each needs another one for that.
 */
export function explainShort(claim: PayoutClaim, token: Asset, { short, ...result }: Verdict): PayoutResult {
  if (result.outcome !== 'refused' || short === undefined) return result;
  const { pays = 'withdrawal' } = claim;
  const off = 'have the setting verifyPayoutOnChain turned off, complete it with this transaction';
  const on = 'and turn that on again';
  const { got, back, due } = short;
  const amount = amountIn(token);
  const message =
    got < due
      ? `If it was sent for this one, do not fail the ${pays}, or that is paid twice: send the rest, ${off} or, where that paid \
others as well, with the one that sent the rest of this one alone, ${on}. Where a fee is kept of what is sent, send the next ones \
with the fee on top.`
      : `It got ${amount(got)}, of which ${amount(back)} came back to who paid. If it got that for this one, do not fail the \
${pays}, and send no more than came back, once for all that this transaction paid, or that is paid twice: then ${off} or, where that \
has completed another one, with the one that sent what came back, ${on}.`;
  return { ...result, message: `${result.message} ${message}` };
}

/** The wallets that may pay: no address is spelled so. */
const OURS = 'ours';

function wrongToken(claim: PayoutClaim, found: Transfer): Mismatch {
  const { txHash, token, destination } = claim;
  const amount = amountIn(found.token)(found.units);
  const message = `Transaction ${txHash} sent ${amount} to ${destination}; the ${paysOf(claim)} is in ${token}. ${unlessSent(claim)}`;
  return { reason: 'payout_wrong_token', message };
}

/** Only transfers that go around from the destination in thousands of ways take so long: someone made them so. */
function unclear(claim: PayoutClaim, token: Asset): Mismatch {
  const { txHash, destination } = claim;
  const message = `Transaction ${txHash} moved ${token.symbol} in so many ways that it can't be reckoned how much of what \
${destination} got came back to who paid it: look at it by hand. ${unlessSent(claim)}`;
  return { reason: 'payout_unclear', message };
}

function wrongDestination(claim: PayoutClaim, transfers: readonly Transfer[]): Mismatch {
  const { network, txHash, token, destination } = claim;
  const receivers = listed(transfers.filter((found) => found.token.symbol === token).map(({ to }) => to));
  const instead = receivers ? `its ${token} went to ${receivers}` : `it moved no ${token} as ${network} lists it`;
  const message = `Transaction ${txHash} sent no ${token} to ${destination}, the destination of the ${paysOf(claim)}: ${instead}.`;
  return { reason: 'payout_wrong_destination', message };
}

function listed(addresses: readonly string[]): string {
  const different = [...new Set(addresses)];
  const more = different.length - SENDERS_SHOWN;
  return `${different.slice(0, SENDERS_SHOWN).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const sum = (transfers: readonly Pick<Transfer, 'units'>[]): bigint =>
  transfers.reduce((total, { units }) => total + units, 0n);
