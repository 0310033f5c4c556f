/** Everything that one process tells the others by NOTIFY. A notification only wakes: what is to be done stands in the rows. */
export const CHANNELS = [
  'kasi_credits',
  'kasi_deliveries',
  'kasi_certifications',
  'kasi_moves',
  /** Payload: the payment's id. */
  'kasi_payment',
  /** Payload: a session's id, an API key's public value, or the id of whoever holds them. */
  'kasi_credential',
  'kasi_settings',
  'kasi_clock',
] as const;

export type Channel = (typeof CHANNELS)[number];

/** Hears what any process tells; the returned function ends that. */
export type Subscribe = (channel: Channel, handle: (payload: string) => void) => () => void;
