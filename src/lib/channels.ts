/**
 * Wakes: rung after a commit and beside it (`Trx.wake`), so one can be lost with the process. Whoever listens also looks by himself every
 * second or two, and what is to be done stands in the rows.
 */
const WAKES = [
  'kasi_credits',
  'kasi_deliveries',
  'kasi_moves',
  'kasi_operator',
  /** Payload: the payment's id. */
  'kasi_payment',
  'kasi_subscriptions',
  /** Something that subscriptions wait for: a due time, a signal, an event of the contract. */
  'kasi_subscriptions',
] as const;

/** News: told by the commit itself, because it is too rare to be in anybody's way and nobody looks for it so often. */
const NEWS = [
  'kasi_certifications',
  /** Payload: a session's id, an API key's public value, or the id of whoever holds them. */
  'kasi_credential',
  'kasi_settings',
  'kasi_clock',
] as const;

/** Everything that one process tells the others by NOTIFY. */
export const CHANNELS = [...WAKES, ...NEWS] as const;

export type WakeChannel = (typeof WAKES)[number];
export type Channel = (typeof CHANNELS)[number];

/** Hears what any process tells; the returned function ends that. */
export type Subscribe = (channel: Channel, handle: (payload: string) => void) => () => void;
