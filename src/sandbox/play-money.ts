import type { EvmNetwork } from '../chains/evm/network.ts';
import { invalidField } from '../lib/errors.ts';
import { parseUnits } from '../lib/money.ts';
import { toAsset } from '../payouts/listed.ts';
import type { PaidIn } from '../payouts/payout.ts';
import type { Asset, Token } from '../ports/chain.ts';

/** Far more than any payment asks, and still within the ledger's range. */
const TOKENS_MAX = 1_000_000_000n;

/** The token of that name that the sandbox can send. Throws VALIDATION_ERROR. */
export function findPlayMoney(network: EvmNetwork, symbol: string): Token {
  const token = network.tokens.find((listed) => listed.symbol === symbol);
  if (token) return token;
  const names = network.tokens.map((listed) => listed.symbol).join(', ');
  throw invalidField('token', `there is no play money in ${symbol}; choose one of: ${names}`);
}

/** What a payout is sent in: what it was begun in, else what is listed. Throws VALIDATION_ERROR. */
export function findOwed(network: EvmNetwork, symbol: string, begunIn: PaidIn | null): Asset {
  if (begunIn !== null) return toAsset(symbol, begunIn);
  return network.native?.symbol === symbol ? network.native : findPlayMoney(network, symbol);
}

/** The amount in a field of the request, in base units of the token. Throws VALIDATION_ERROR. */
export function parseAmount(
  amount: string,
  { symbol, decimals }: Pick<Asset, 'symbol' | 'decimals'>,
  field = 'amount',
): bigint {
  let units: bigint;
  try {
    units = parseUnits(amount, decimals);
  } catch {
    throw invalidField(field, `must have at most ${decimals} decimals, as ${symbol} has here`);
  }
  if (units <= TOKENS_MAX * 10n ** BigInt(decimals)) return units;
  throw invalidField(field, `must be at most ${TOKENS_MAX}`);
}
