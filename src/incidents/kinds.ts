import type { KindOfIncident } from './kind.ts';
import { NETWORK_KINDS } from './kinds/networks.ts';
import { PAYMENT_KINDS } from './kinds/payments.ts';
import { PLATFORM_KINDS } from './kinds/platform.ts';
import { SUBSCRIPTION_KINDS } from './kinds/subscriptions.ts';

/**
 * Every kind of incident, as data: what the API, the alerts and the chapter "Incidents" of the documentation say about
 * it. `npm run generate` writes that chapter, so a kind can't be without a page.
 */
export const INCIDENT_KINDS = {
  ...NETWORK_KINDS,
  ...PAYMENT_KINDS,
  ...SUBSCRIPTION_KINDS,
  ...PLATFORM_KINDS,
} as const satisfies Readonly<Record<string, KindOfIncident>>;

export type IncidentKind = keyof typeof INCIDENT_KINDS;

/** The kinds of which something can be tried again. */
export type RetryableKind = {
  [K in IncidentKind]: (typeof INCIDENT_KINDS)[K] extends { readonly retry: string } ? K : never;
}[IncidentKind];

/** The kinds that nobody resolves by hand while they hold. */
export type LastingKind = {
  [K in IncidentKind]: (typeof INCIDENT_KINDS)[K] extends { readonly cure: string } ? K : never;
}[IncidentKind];
