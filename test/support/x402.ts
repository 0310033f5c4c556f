import type { Hex, LocalAccount } from 'viem';
import { bytesToHex } from 'viem';
import { expect } from 'vitest';
import { checkedFetch } from './answers.ts';
import { customerWallet } from './subscriptions.ts';

/** A way to pay, as `payment-required` lists it. */
type Requirement = {
  readonly network: string;
  readonly asset: string;
  readonly amount: string;
  readonly payTo: string;
  readonly maxTimeoutSeconds: number;
  readonly extra: { readonly name: string; readonly version: string };
};

export type X402Authorization = Record<'from' | 'to' | 'value' | 'validAfter' | 'validBefore' | 'nonce', string>;

/** The fetch of the platform, with every answer held against the contract. */
export const contractFetch: typeof fetch = (input, init) => checkedFetch()(new Request(input, init));

/** Asks for a payment as a client of x402 does. */
export const requestX402 = (url: string, id: string, header?: string): Promise<Response> =>
  contractFetch(
    `${url}/v1/public/payments/${id}/x402`,
    header === undefined ? {} : { headers: { 'payment-signature': header } },
  );

/** The same by somebody who leaves after a second, without an answer. */
export const leaveX402 = (url: string, id: string, header: string): Promise<'gone' | Response> =>
  fetch(`${url}/v1/public/payments/${id}/x402`, {
    headers: { 'payment-signature': header },
    signal: AbortSignal.timeout(1000),
  }).catch(() => 'gone' as const);

/** A message of x402 in a header of the answer. */
export function decodeHeader(response: Response, name: string) {
  const header = response.headers.get(name);
  expect(header, name).not.toBeNull();
  return JSON.parse(Buffer.from(header ?? '', 'base64').toString('utf8'));
}

/** What a payment asks for. */
export async function readTerms(url: string, id: string): Promise<{ readonly accepts: readonly Requirement[] }> {
  return decodeHeader(await requestX402(url, id), 'payment-required');
}

type Signing = {
  /** Seconds since 1970. */
  readonly now: number;
  readonly change?: Partial<X402Authorization>;
  readonly wallet?: LocalAccount;
};

/** What a client of x402 sends: a random number, ten minutes of grace, and the longest period that is asked for. */
export async function payloadFor(
  requirement: Requirement,
  { now, change = {}, wallet = customerWallet() }: Signing,
): Promise<string> {
  const { network, asset, amount, payTo, maxTimeoutSeconds, extra } = requirement;
  const authorization: X402Authorization = {
    ...{ from: wallet.address, to: payTo, value: amount, validAfter: String(now - 600) },
    ...{ validBefore: String(now + maxTimeoutSeconds), nonce: bytesToHex(crypto.getRandomValues(new Uint8Array(32))) },
    ...change,
  };
  const signature = await wallet.signTypedData({
    domain: { ...extra, chainId: Number(network.split(':')[1]), verifyingContract: asset as Hex },
    types: {
      TransferWithAuthorization: [
        { name: 'from', type: 'address' },
        { name: 'to', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'validAfter', type: 'uint256' },
        { name: 'validBefore', type: 'uint256' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'TransferWithAuthorization',
    message: authorization as never,
  });
  const message = {
    x402Version: 2,
    accepted: { scheme: 'exact', ...requirement },
    payload: { authorization, signature },
  };
  return Buffer.from(JSON.stringify(message)).toString('base64');
}
