import { isDeepStrictEqual } from 'node:util';
import type { components } from '../../generated/api.ts';
import { type FieldError, requireNone } from '../lib/errors.ts';
import type { JsonObject } from '../lib/json.ts';
import { parseFiat, presentFiat } from '../lib/money.ts';
import { findPageProblem } from '../lib/page-url.ts';
import { parseName } from '../lib/remarks.ts';
import { parseEmbedOrigin } from './embed-origin.ts';
import type { Merchant } from './merchant.ts';

/** The fields that a merchant may change itself. */
export type Profile = Pick<
  Merchant,
  | 'businessName'
  | 'phone'
  | 'businessType'
  | 'walletAddress'
  | 'webhookUrl'
  | 'paymentToleranceBps'
  | 'refundOffers'
  | 'refundOfferMinimum'
  | 'supportEmail'
  | 'supportUrl'
  | 'website'
  | 'brandColor'
  | 'logoName'
  | 'sendReceipts'
  | 'embedOrigins'
>;

export type ProfileRules = {
  /** Whether this is an address of an enabled network, with a valid checksum. */
  readonly validateAddress: (address: string) => boolean;
  /** What is wrong with a webhook URL, or undefined. Makes no network call, because a transaction is open. */
  readonly checkUrl: (url: string) => string | undefined;
  readonly livemode: boolean;
};

/** The profile fields of a request, normalised for storage. Rejects with a VALIDATION_ERROR for every wrong field. */
export async function parseProfile(
  body: components['schemas']['UpdateMerchantRequest'],
  rules: ProfileRules,
): Promise<Partial<Profile>> {
  const problems: FieldError[] = [];
  const profile: Partial<Profile> = {
    ...(body.businessName !== undefined && { businessName: parseBusinessName(body.businessName, problems) }),
    ...(body.phone !== undefined && { phone: await parsePhone(body.phone, problems) }),
    ...(body.businessType !== undefined && { businessType: body.businessType }),
    ...(body.walletAddress !== undefined && { walletAddress: parseWallet(body.walletAddress, rules, problems) }),
    ...(body.webhookUrl !== undefined && { webhookUrl: parseWebhookUrl(body.webhookUrl, rules, problems) }),
    ...(body.paymentToleranceBps !== undefined && { paymentToleranceBps: body.paymentToleranceBps }),
    ...(body.refundOffers !== undefined && { refundOffers: body.refundOffers.toSorted() }),
    ...(body.refundOfferMinimum !== undefined && { refundOfferMinimum: parseFiat(body.refundOfferMinimum) }),
    ...(body.supportEmail !== undefined && { supportEmail: body.supportEmail }),
    ...(body.supportUrl !== undefined && { supportUrl: parsePage('supportUrl', body.supportUrl, problems) }),
    ...(body.brandColor !== undefined && { brandColor: body.brandColor?.toLowerCase() ?? null }),
    ...(body.sendReceipts !== undefined && { sendReceipts: body.sendReceipts }),
    ...(body.website !== undefined && { website: parsePage('website', body.website, problems) }),
    ...(body.embedOrigins !== undefined && { embedOrigins: parseOrigins(body.embedOrigins, rules, problems) }),
  };
  requireNone(problems);
  return profile;
}

/** The profile of a registration, normalised for storage. Rejects with a VALIDATION_ERROR for every wrong field. */
export async function parseRegistration(
  body: Pick<components['schemas']['RegisterMerchantRequest'], 'businessName' | 'phone' | 'businessType'>,
): Promise<Pick<Profile, 'businessName' | 'phone' | 'businessType'>> {
  const problems: FieldError[] = [];
  const businessName = parseBusinessName(body.businessName, problems);
  const phone = await parsePhone(body.phone, problems);
  requireNone(problems);
  return { businessName, phone, businessType: body.businessType };
}

function parseBusinessName(text: string, problems: FieldError[]): string {
  const businessName = parseName(text);
  if (businessName === null) problems.push({ path: 'businessName', message: 'must not be blank' });
  return businessName ?? '';
}

/**
 * E.164. The country must exist and the length be possible there. Number ranges are not checked, because numbering
 * plans change faster than libraries. The library is 112 modules, and few processes ever see a phone number.
 */
async function parsePhone(text: string, problems: FieldError[]): Promise<string> {
  const { parsePhoneNumberFromString } = await import('libphonenumber-js');
  const number = parsePhoneNumberFromString(text);
  if (number?.isPossible()) return number.number;
  problems.push({ path: 'phone', message: 'must be a phone number with its country code, for example +94771234567' });
  return text;
}

function parseWallet(text: string | null, rules: ProfileRules, problems: FieldError[]): string | null {
  if (!text) return null;
  if (!rules.validateAddress(text)) {
    const message = 'must be an address of an enabled network, every character as your wallet shows it';
    problems.push({ path: 'walletAddress', message });
  }
  return text;
}

function parseWebhookUrl(text: string | null, rules: ProfileRules, problems: FieldError[]): string | null {
  if (!text) return null;
  const message = rules.checkUrl(text);
  if (message !== undefined) problems.push({ path: 'webhookUrl', message });
  return text;
}

/** A page that payers are sent to. The contract has checked its scheme and length. */
function parsePage(path: string, text: string | null, problems: FieldError[]): string | null {
  if (!text) return null;
  const problem = findPageProblem(text);
  if (problem !== null) problems.push({ path, message: problem });
  return text;
}

/** Sorted and without repetitions, so that the same websites in another order change nothing. */
function parseOrigins(texts: readonly string[], rules: ProfileRules, problems: FieldError[]): string[] {
  const origins = texts.map((text, at) => {
    const parsed = parseEmbedOrigin(text, rules);
    if ('problem' in parsed) problems.push({ path: `embedOrigins.${at}`, message: parsed.problem });
    return 'origin' in parsed ? parsed.origin : text;
  });
  return [...new Set(origins)].sort();
}

/** The fields of `wanted` that differ from the merchant's. */
export function diffProfile(merchant: Merchant, wanted: Partial<Profile>): Partial<Profile> {
  const changed = Object.entries(wanted).filter(
    ([field, value]) => !isDeepStrictEqual(merchant[field as keyof Profile], value),
  );
  return Object.fromEntries(changed);
}

/**
 * Whether a change lets money go where it did not go before: withdrawals to another wallet, or what waits to whoever
 * has the address of a payment's page. See decision merchants/opening-to-payers-needs-a-code.
 */
export const opensMoney = (
  before: Pick<Profile, 'refundOffers' | 'refundOfferMinimum'>,
  { walletAddress, refundOffers = [], refundOfferMinimum }: Partial<Profile>,
): boolean =>
  walletAddress !== undefined ||
  refundOffers.some((each) => !before.refundOffers.includes(each)) ||
  (refundOfferMinimum !== undefined && refundOfferMinimum < before.refundOfferMinimum);

/** A change for the audit entry: each field with its old and new value, masked where it may hold a secret. */
export function describeChange(before: Merchant, changed: Partial<Profile>): JsonObject {
  const fields = Object.keys(changed) as (keyof Profile)[];
  return Object.fromEntries(
    fields.map((field) => [field, { from: mask(field, before[field]), to: mask(field, changed[field] ?? null) }]),
  );
}

function mask(field: keyof Profile, value: Profile[keyof Profile]): string | number | boolean | string[] | null {
  if (typeof value === 'bigint') return presentFiat(value);
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value !== 'string') return [...value];
  if (field === 'phone') return `…${value.slice(-4)}`;
  // Path and query of a webhook URL often contain a secret.
  if (field === 'webhookUrl') return URL.canParse(value) ? `${new URL(value).origin}/…` : '…';
  return value;
}
