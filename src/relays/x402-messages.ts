import { invalidField } from '../lib/errors.ts';
import type { JsonObject } from '../lib/json.ts';
import type { SignMethod } from '../ports/signed-transfers.ts';

/**
 * The messages of x402, version 2, and of its scheme `exact` on EVM networks, as far as we need them.
 * Source: x402-specification-v2.md, transports-v2/http.md and schemes/exact/scheme_exact_evm.md of the x402 foundation.
 */
export const X402_VERSION = 2;

/** A way to pay. `amount` is in the token's units, `network` is a CAIP-2 identifier. */
export type Requirement = {
  readonly scheme: 'exact';
  readonly network: string;
  readonly asset: string;
  readonly amount: string;
  readonly payTo: string;
  readonly maxTimeoutSeconds: number;
  /** By which contract, unless it is the token's own; and the domain of what is signed for the token, if any is. */
  readonly extra: { readonly assetTransferMethod?: 'permit2'; readonly name?: string; readonly version?: string };
};

/** That clients may sign an allowance for Permit2 besides, for the tokens whose domain is named. */
export const PERMIT_EXTENSION = {
  eip2612GasSponsoring: {
    info: {
      description: 'An allowance for Permit2 that is signed (ERC-2612) is brought to the chain, too.',
      version: '1',
    },
    schema: { type: 'object', required: ['nonce', 'deadline', 'signature'] },
  },
} as const;

export type PaymentRequired = {
  readonly x402Version: typeof X402_VERSION;
  readonly error: string;
  readonly resource: { readonly url: string; readonly description: string; readonly mimeType: string };
  readonly accepts: readonly Requirement[];
  readonly extensions?: typeof PERMIT_EXTENSION;
};

/** What became of a signature. `transaction` is empty when there is none. */
export type Settlement = {
  readonly success: boolean;
  readonly errorReason?: string;
  readonly transaction: string;
  readonly network: string;
  readonly payer: string;
};

/** What a client has signed: hex in lower case, amounts in units, times in seconds since 1970. */
export type X402Payload = {
  readonly network: string;
  readonly asset: string;
  readonly method: SignMethod;
  readonly signature: string;
  /** The allowance that came with it. */
  readonly permit: { readonly nonce: string; readonly deadline: number; readonly signature: string } | null;
  readonly authorization: {
    readonly from: string;
    readonly to: string;
    readonly value: bigint;
    readonly validAfter: number;
    readonly validBefore: number;
    readonly nonce: string;
  };
};

/** The name of the header that carries a payload. */
const HEADER = 'payment-signature';
const ADDRESS = /^0x[0-9a-f]{40}$/;
const WORD = /^0x[0-9a-f]{64}$/;
const SIGNATURE = /^0x[0-9a-f]{130}$/;
const UNITS = /^\d{1,78}$/;
const SECONDS = /^\d{1,12}$/;

/** A network's name in x402, its CAIP-2 identifier. */
export const networkIdOf = (chainId: number | null): string => `eip155:${chainId}`;

/** A message as a header carries it. */
export const encodeHeader = (message: PaymentRequired | Settlement): string =>
  Buffer.from(JSON.stringify(message)).toString('base64');

/** What a client sent. Throws VALIDATION_ERROR for anything but a payload of the scheme `exact` that we know. */
export function readPayload(header: string): X402Payload {
  const message = parse(header);
  if (message.x402Version !== X402_VERSION) throw invalidField(HEADER, 'must be of version 2 of x402');
  const [accepted, payload] = [objectIn(message, 'accepted'), objectIn(message, 'payload')];
  if (accepted.scheme !== 'exact') throw invalidField(HEADER, 'must be of the scheme `exact`');
  const common = {
    network: textIn(accepted, 'network', /^eip155:\d{1,10}$/),
    asset: textIn(accepted, 'asset', ADDRESS),
    signature: textIn(payload, 'signature', SIGNATURE),
  };
  if (payload.permit2Authorization === undefined) {
    const authorization = readAuthorization(objectIn(payload, 'authorization'));
    return { ...common, method: 'erc3009', permit: null, authorization };
  }
  const authorization = readPermit2(objectIn(payload, 'permit2Authorization'));
  return { ...common, method: 'permit2', permit: readPermit(message), authorization };
}

const readAuthorization = (signed: JsonObject): X402Payload['authorization'] => ({
  from: textIn(signed, 'from', ADDRESS),
  to: textIn(signed, 'to', ADDRESS),
  value: BigInt(textIn(signed, 'value', UNITS)),
  validAfter: Number(textIn(signed, 'validAfter', SECONDS)),
  validBefore: Number(textIn(signed, 'validBefore', SECONDS)),
  nonce: textIn(signed, 'nonce', WORD),
});

/** The same of Permit2. What else was signed has to be what we would have signed, or the signature is not good. */
function readPermit2(signed: JsonObject): X402Payload['authorization'] {
  const [permitted, witness] = [objectIn(signed, 'permitted'), objectIn(signed, 'witness')];
  const nonce = BigInt(textIn(signed, 'nonce', UNITS))
    .toString(16)
    .padStart(64, '0');
  if (nonce.length > 64) throw invalidField(HEADER, 'has no good `nonce`');
  return {
    from: textIn(signed, 'from', ADDRESS),
    to: textIn(witness, 'to', ADDRESS),
    value: BigInt(textIn(permitted, 'amount', UNITS)),
    validAfter: Number(textIn(witness, 'validAfter', SECONDS)),
    // The first second that is too late.
    validBefore: Number(textIn(signed, 'deadline', SECONDS)) + 1,
    nonce: `0x${nonce}`,
  };
}

/** The allowance in the extension that x402 has for it. */
function readPermit({ extensions }: JsonObject): X402Payload['permit'] {
  const extension = isObject(extensions) ? extensions.eip2612GasSponsoring : undefined;
  const info = isObject(extension) ? extension.info : undefined;
  // A client that signs none may send back what we have said of the extension.
  if (!isObject(info) || info.signature === undefined) return null;
  return {
    nonce: textIn(info, 'nonce', UNITS),
    deadline: Number(textIn(info, 'deadline', SECONDS)),
    signature: textIn(info, 'signature', SIGNATURE),
  };
}

function parse(header: string): JsonObject {
  try {
    const message: unknown = JSON.parse(Buffer.from(header, 'base64').toString('utf8'));
    if (isObject(message)) return message;
  } catch {
    // Whatever is wrong with it, the sentence is the same.
  }
  throw invalidField(HEADER, 'must be the JSON of a PaymentPayload of x402, in Base64');
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function objectIn(within: JsonObject, name: string): JsonObject {
  const value = within[name];
  if (isObject(value)) return value;
  throw invalidField(HEADER, `must have an object \`${name}\``);
}

function textIn(within: JsonObject, name: string, pattern: RegExp): string {
  const value = within[name];
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  if (pattern.test(text)) return text;
  throw invalidField(HEADER, `has no good \`${name}\``);
}
