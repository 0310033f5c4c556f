/** What is said of a kind of incident; `kinds.ts` lists all. */

/** The end of a kind that the service does not resolve. */
export const NEVER = 'The service can not see its end: resolve it when you are done.';

/** What the subject of an incident names. */
export type IncidentResource =
  | 'account'
  | 'change'
  | 'charge'
  | 'currency_pair'
  | 'endpoint'
  | 'ledger'
  | 'mail_server'
  | 'mandate'
  | 'network'
  | 'operator_account'
  | 'operator_transaction'
  | 'payment'
  | 'refund'
  | 'subscription'
  | 'tallies'
  | 'unknown'
  | 'withdrawal';

export type KindOfIncident = {
  /** What the subject names. */
  readonly resource: IncidentResource;
  /** `critical`: money or all of a network is concerned, look now. `warning`: look today. */
  readonly severity: 'critical' | 'warning';
  /** The kind in a few words, without a full stop. */
  readonly title: string;
  /** When it opens, and what that means. */
  readonly meaning: string;
  /** What it touches meanwhile, and what it doesn't. */
  readonly effect: string;
  /** What an operator does. */
  readonly action: string;
  /** When it is over, and whether the service sees that by itself. */
  readonly end: string;
  /** What trying again does; absent when nothing can be tried again. `alerting.ts` names the function that does it. */
  readonly retry?: string;
  /**
   * What ends it where nobody can resolve it by hand while it holds, because it is opened once and would be forgotten;
   * as the refusal says it. `alerting.ts` names the function that looks.
   */
  readonly cure?: string;
};
