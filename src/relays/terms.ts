import { SECOND_MS } from '../lib/clock.ts';
import { conflict, invalidField } from '../lib/errors.ts';
import { MICRO_DECIMALS, parseUnits } from '../lib/money.ts';
import { priceOfGas } from '../payments/gas-share.ts';
import { isOpen } from '../payments/payment.ts';
import { dueMicro, dueUnitsOf } from '../payments/present.ts';
import type { Payment } from '../payments/types.ts';
import type { Network, Token } from '../ports/chain.ts';
import type { Chains } from '../ports/chain-kind.ts';
import type { SignedTransfer, SignedTransfers, SignMethod } from '../ports/signed-transfers.ts';
import type { CoinPrice } from '../rates/quote.ts';
import type { Settings } from '../settings/settings.ts';
import type { SignedTerms } from './relay.ts';

export type TermsDeps = {
  readonly networks: readonly Network[];
  readonly chains: Pick<Chains, 'kindOf' | 'openSignedTransfers' | 'presentAddress'>;
};

export type PriceDeps = { readonly coinPrice: CoinPrice; readonly livemode: boolean };

/** Which of a payment's options, and who pays. `payer` is in any spelling. */
export type RelayChoice = {
  readonly token: string;
  readonly network: string;
  readonly payer: string;
  /** By which contract; absent: whichever of the token's asks for the fewest signatures. */
  readonly method?: SignMethod;
  /** What the wallet has chosen itself; absent: what we would have it sign. */
  readonly own?: OwnTerms;
};

/** The part of the terms that a wallet may choose, because nobody gets anything else by it. */
export type OwnTerms = Pick<SignedTerms, 'validAfter' | 'validBefore' | 'nonce'>;

/** Less time than this before its deadline a transfer would often be too late on the chain, and cost its fee. */
export const MARGIN_MS = 60 * SECOND_MS;

/** A way to sign transfers: where, of which token, and how. */
export type Way = {
  readonly network: Network;
  readonly token: Token;
  readonly method: SignMethod;
  readonly transfers: SignedTransfers;
};

/** Every way to sign. */
export const SIGN_METHODS: readonly SignMethod[] = ['erc3009', 'permit2'];

/** How transfers of a token can be signed, the way with the fewest signatures first. Pure. */
const methodsOf = ({ authorization, permit2 }: Pick<Token, 'authorization' | 'permit2'>): SignMethod[] =>
  SIGN_METHODS.filter((method) => (method === 'erc3009' ? authorization !== undefined : permit2 === true));

/**
 * How transfers of a token are signed on a network that this process lists: as asked, or the simplest way; undefined
 * where they are not.
 */
export function findWay(
  { networks, chains }: TermsDeps,
  name: string,
  isIt: (token: Token) => boolean,
  asked?: SignMethod,
): Way | undefined {
  const network = networks.find((each) => each.name === name);
  const token = network?.tokens.find(isIt);
  const method = token && methodsOf(token).find((each) => asked === undefined || each === asked);
  const transfers = network && chains.openSignedTransfers(network);
  return network && token && method && transfers ? { network, token, method, transfers } : undefined;
}

/** The same by its contract. */
export const findWayOf = (deps: TermsDeps, { network, contract, method }: SignedTerms): Way | undefined =>
  findWay(deps, network, (token) => token.contract === contract, method);

/** What a signed transfer of one of a payment's options has to bring, to whom. */
export type Demand = { readonly way: Way; readonly recipient: string; readonly units: bigint };

/**
 * What a payment asks for as it is now: all that is still missing, to its own address. Throws CONFLICT when it can't be
 * paid by a signed transfer, and VALIDATION_ERROR for an option that it has not.
 */
export function demandOf(
  deps: TermsDeps,
  payment: Payment,
  choice: Pick<RelayChoice, 'token' | 'network' | 'method'>,
  { relayMinAmount }: Settings,
  now: Date,
): Demand {
  const way = findWay(deps, choice.network, (token) => token.symbol === choice.token, choice.method);
  const option = payment.options.find((each) => each.network === choice.network && each.token === choice.token);
  if (!option) throw invalidField('network', `has no ${choice.token} for this payment; its options say what it takes`);
  if (relayMinAmount === null || !way || way.token.contract !== option.contract?.toLowerCase()) {
    throw conflict(
      `Signed transfers of ${choice.token} on ${choice.network} are not taken${choice.method ? ` by ${choice.method}` : ''}. Pay by a transfer that the wallet sends itself.`,
    );
  }
  const due = dueMicro(payment);
  if (!isOpen(payment) || due <= 0n)
    throw conflict('This payment asks for nothing any more, so there is nothing to sign.');
  if (payment.expiresAt.getTime() - now.getTime() < MARGIN_MS) {
    throw conflict('Less than a minute is left of this payment, which is too short for a signed transfer.');
  }
  if (due < parseUnits(relayMinAmount, MICRO_DECIMALS)) {
    throw conflict(`Payments below ${relayMinAmount} USD are paid by a transfer that the wallet sends itself.`);
  }
  const recipient = deps.chains.kindOf(way.network).addresses.canonical(option.address);
  return { way, recipient, units: dueUnitsOf(payment, option, due) };
}

/**
 * Throws CONFLICT while the gas of a network has no price: live, nothing is sent then, so what a payer signs would wait
 * until its deadline.
 */
export async function requirePriced(
  { coinPrice, livemode }: PriceDeps,
  network: Network,
  settings: Settings,
): Promise<void> {
  if (!livemode || (await priceOfGas(network, coinPrice, settings)) !== null) return;
  throw conflict(
    `What a transfer on ${network.name} costs is not known at the moment, so none is sent for you. Pay by a transfer that the wallet sends itself.`,
  );
}

/**
 * What a wallet is to sign for a payment as it is now, until its deadline unless the wallet has chosen. Throws as
 * `demandOf` does, and VALIDATION_ERROR for the payment's own address.
 */
export function termsOf(
  deps: TermsDeps,
  payment: Payment,
  choice: RelayChoice,
  settings: Settings,
  now: Date,
): { readonly way: Way; readonly terms: SignedTerms } {
  const { way, recipient, units } = demandOf(deps, payment, choice, settings, now);
  const payer = deps.chains.kindOf(way.network).addresses.canonical(choice.payer);
  if (payer === recipient) throw invalidField('payer', 'is the address of this payment; name the wallet that signs');
  const where = { network: way.network.name, contract: way.token.contract, method: way.method };
  return { way, terms: { ...where, payer, recipient, units, ...(choice.own ?? ownTermsOf(way, payment)) } };
}

/** A number that follows from the payment's id: of all that a wallet signs for it one is executed. */
const ownTermsOf = ({ transfers }: Way, { id, expiresAt }: Payment): OwnTerms => ({
  validAfter: 0,
  validBefore: Math.floor(expiresAt.getTime() / SECOND_MS),
  nonce: transfers.nonceFor(id),
});

/** The transfer of these terms, as the chain takes it. */
export const transferOf = ({ token }: Way, terms: SignedTerms): SignedTransfer => ({
  token,
  method: terms.method,
  from: terms.payer,
  to: terms.recipient,
  units: terms.units,
  validAfter: terms.validAfter,
  validBefore: terms.validBefore,
  nonce: terms.nonce,
});

/** Why a payment no longer needs what was signed for it; null: it does. Pure. */
export function findChange(
  payment: Payment,
  { network, contract, units, validBefore }: SignedTerms,
  now: Date,
): 'changed' | 'too_late' | null {
  const option = payment.options.find((each) => each.network === network && each.contract?.toLowerCase() === contract);
  const due = dueMicro(payment);
  if (!option || !isOpen(payment) || due <= 0n || dueUnitsOf(payment, option, due) !== units) return 'changed';
  const end = Math.min(validBefore * SECOND_MS, payment.expiresAt.getTime());
  return end - now.getTime() < MARGIN_MS ? 'too_late' : null;
}
