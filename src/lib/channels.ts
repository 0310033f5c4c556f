/**
 * Wakes are rung after a commit, not in it (`Trx.wake`), so a dying process can lose one. Every listener also polls
 * every second or two; the rows say what is due. See decision db/ring-after-commit.
 */
const WAKES = [
  'kasi_credits',
  'kasi_deliveries',
  'kasi_mails',
  'kasi_moves',
  'kasi_operator',
  /** Payload: the payment's id. */
  'kasi_payment',
  'kasi_relays',
  /** Something that subscriptions wait for: a due time, a signal, a collector event. */
  'kasi_subscriptions',
] as const;

/**
 * News is sent by the commit itself (NOTIFY): it is too rare to slow commits down, and listeners do not poll for it.
 */
const NEWS = [
  'kasi_certifications',
  /** Payload: a session's id, an API key's public value, or the id of their holder. */
  'kasi_credential',
  'kasi_settings',
  'kasi_clock',
] as const;

/** What a process says to itself, to learn whether it hears (`db/echo.ts`). Payload: made up for one question. */
const ECHO = 'kasi_echo';

/** Everything that processes tell each other with NOTIFY. */
export const CHANNELS = [...WAKES, ...NEWS, ECHO] as const;

export type WakeChannel = (typeof WAKES)[number];
export type Channel = (typeof CHANNELS)[number];

/** Subscribes to what any process sends on a channel. The returned function unsubscribes. */
export type Subscribe = (channel: Channel, handle: (payload: string) => void) => () => void;
