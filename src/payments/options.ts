import { AppError } from '../lib/errors.ts';
import { formatUnits, MICRO_DECIMALS, rescaleUp } from '../lib/money.ts';
import type { Network, Token } from '../ports/chain.ts';
import type { PaymentOption } from './types.ts';

/** The deposit address of a payment and the factory that can sweep it, computed without the chain. */
export type DepositAddress = (paymentId: string) => { readonly address: string; readonly factory: string };

/** Tokens in the order in which payers are offered them. */
const ORDER = ['USDT', 'USDC', 'ETH', 'BTC'];

/**
 * Every way to pay: the enabled tokens of every network that the payment accepts, each with its amount in base units
 * (rounded up) and its payment URI. Throws VALIDATION_ERROR, naming what is enabled, when nothing is left.
 */
export function makeOptions(
  deps: { readonly networks: readonly Network[]; readonly depositAddress: DepositAddress },
  paymentId: string,
  amountMicro: bigint,
  accepted: readonly string[] | null,
): { readonly options: readonly PaymentOption[]; readonly factory: string } {
  const enabled = deps.networks.flatMap((network) => network.tokens.map((token) => ({ network, token })));
  const offered = enabled
    .filter(({ token }) => accepted === null || accepted.includes(token.symbol))
    .sort((a, b) => ORDER.indexOf(a.token.symbol) - ORDER.indexOf(b.token.symbol));
  if (offered.length === 0) {
    const names = [...new Set(enabled.map(({ token }) => token.symbol))].join(', ');
    throw new AppError('VALIDATION_ERROR', `None of the accepted tokens is enabled here. Enabled: ${names}.`, {
      fields: [{ path: 'acceptedTokens', message: `must contain one of: ${names}` }],
    });
  }
  const { address, factory } = deps.depositAddress(paymentId);
  return { options: offered.map(({ network, token }) => toOption(network, token, amountMicro, address)), factory };
}

function toOption(network: Network, token: Token, amountMicro: bigint, address: string): PaymentOption {
  const units = rescaleUp(amountMicro, MICRO_DECIMALS, token.decimals);
  return {
    token: token.symbol,
    network: network.name,
    chainId: network.chainId,
    contract: token.contract,
    decimals: token.decimals,
    units: units.toString(),
    address,
    paymentUri: transferUri(token.contract, network.chainId, address, units),
  };
}

/** A request to transfer ERC-20 tokens, as wallets read it from a QR code (EIP-681). */
export const transferUri = (contract: string, chainId: number, to: string, units: bigint): string =>
  `ethereum:${contract}@${chainId}/transfer?address=${to}&uint256=${units}`;

/** The amount of an option as people read it. */
export const optionAmount = (option: PaymentOption): string =>
  formatUnits(BigInt(option.units), option.decimals, option.decimals <= 6);
