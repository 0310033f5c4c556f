/**
 * The cases of a certification, as data. The service plays them at a merchant's endpoint. The client carries a copy of
 * this file and plays them at a handler in a merchant's own tests, so both grade alike.
 */

/** An event of the suite, named by its role. */
export type Role = 'first' | 'newer' | 'older' | 'forged' | 'unsigned' | 'old' | 'unknown' | 'slow' | 'oversized';

/** What matters of an event; the rest of it is made up. */
export type EventDraft = {
  readonly role: Role;
  readonly type: string;
  /** The status of the payment in its data. */
  readonly paymentStatus: 'confirming' | 'paid';
  readonly sequence: number;
  /** Events with the same value are about the same payment. */
  readonly payment: string;
};

/** One request of a case. */
export type Step = {
  readonly event: Role;
  /** `foreign`: signed with an unknown key. `none`: without the signature header. */
  readonly signature: 'genuine' | 'foreign' | 'none';
  /** How many seconds in the past the timestamp is. */
  readonly ageSeconds: number;
  /** How long the body takes to arrive. */
  readonly dripMs: number;
  /** The size that the body is padded to. */
  readonly fillBytes: number;
  /** Whether the handler should accept it (2xx) or refuse it (4xx). */
  readonly wanted: 'accept' | 'refuse';
  /** How often the handler should have acted on the event by then; null when any number is fine. */
  readonly effects: 0 | 1 | null;
};

export type Case = {
  readonly name: string;
  readonly title: string;
  /** What is expected, as a sentence. */
  readonly expected: string;
  readonly steps: readonly Step[];
  /** What to change in a handler that fails the case. */
  readonly advice: string;
  /** What a pass can't prove, because it is invisible from outside. */
  readonly unseen?: string;
};

const PAID = { type: 'payment.completed', paymentStatus: 'paid' } as const;

export const EVENTS: readonly EventDraft[] = [
  { role: 'first', ...PAID, sequence: 3, payment: 'first' },
  { role: 'newer', ...PAID, sequence: 3, payment: 'second' },
  { role: 'older', type: 'payment.confirming', paymentStatus: 'confirming', sequence: 2, payment: 'second' },
  { role: 'forged', ...PAID, sequence: 3, payment: 'third' },
  { role: 'unsigned', ...PAID, sequence: 3, payment: 'fourth' },
  { role: 'old', ...PAID, sequence: 3, payment: 'fifth' },
  { role: 'unknown', type: 'certification.unknown', paymentStatus: 'paid', sequence: 4, payment: 'first' },
  { role: 'slow', ...PAID, sequence: 3, payment: 'sixth' },
  { role: 'oversized', ...PAID, sequence: 3, payment: 'seventh' },
];

const plain = { signature: 'genuine', ageSeconds: 0, dripMs: 0, fillBytes: 0 } as const;
const accept = (event: Role, change: Partial<Step> = {}): Step => ({
  event,
  ...plain,
  wanted: 'accept',
  effects: 1,
  ...change,
});
const refuse = (event: Role, change: Partial<Step>): Step => ({
  ...accept(event),
  wanted: 'refuse',
  effects: 0,
  ...change,
});

const ONCE = 'Store the id of the event with a unique index, in the transaction of the work that it causes';

/** In the order of play. A handler that fails the first case gets no others. */
export const CASES: readonly Case[] = [
  {
    name: 'good_event',
    title: 'A genuine event',
    expected: 'It is answered with 2xx within 15 seconds.',
    steps: [accept('first')],
    advice:
      'Your handler refuses what is signed rightly. See that the URL is that of the handler, and that it verifies the body ' +
      'byte for byte as it arrived, before anything parses it, with the key that signed it.',
  },
  {
    name: 'duplicate',
    title: 'The same event once more',
    expected: 'It is answered with 2xx too, and nothing happens a second time.',
    steps: [accept('first')],
    advice: `Answer 2xx to an event that you have handled already: any other answer has it sent again. ${ONCE}, and answer 2xx when it is there.`,
    unseen: 'Whether your handler acted twice can not be seen from outside.',
  },
  {
    name: 'out_of_order',
    title: 'Two events of one payment, the newer first',
    expected: 'Both are answered with 2xx, and the older one changes nothing any more.',
    steps: [accept('newer'), accept('older', { effects: 0 })],
    advice:
      'Events may overtake one another. Keep the highest sequence that you have handled of each resource, ignore a lower ' +
      'one, and answer 2xx to it all the same.',
    unseen: 'Whether your handler fell back to the older state can not be seen from outside.',
  },
  {
    name: 'bad_signature',
    title: 'An event signed with a key that is not yours',
    expected: 'It is refused with 4xx, best 400.',
    steps: [refuse('forged', { signature: 'foreign' })],
    advice:
      'Anyone may send your handler an event: it has to verify the signature and to answer 400 when none of the tokens ' +
      'fits. In TypeScript verifyWebhook of @kasi/client does it.',
  },
  {
    name: 'missing_signature',
    title: 'An event without a signature',
    expected: 'It is refused with 4xx, best 400.',
    steps: [refuse('unsigned', { signature: 'none' })],
    advice:
      'A request without webhook-signature is not ours. Refuse it with 400; don’t skip the check when the header is missing.',
  },
  {
    name: 'old_timestamp',
    title: 'An event that was signed ten minutes ago',
    expected: 'It is refused with 4xx, best 400.',
    steps: [refuse('old', { ageSeconds: 600 })],
    advice:
      'Somebody may have recorded it and sent it again. Refuse what webhook-timestamp says is more than 300 seconds away ' +
      'from your clock; whatever is late is signed afresh for each attempt.',
  },
  {
    name: 'unknown_type',
    title: 'An event of a type that does not exist yet',
    expected: 'It is answered with 2xx and otherwise left alone.',
    steps: [accept('unknown', { effects: null })],
    advice: 'New types may come at any time. Answer 2xx to those that you do not know, and do nothing.',
  },
  {
    name: 'slow_body',
    title: 'An event whose body takes five seconds to arrive',
    expected: 'It is read to its end and answered with 2xx.',
    steps: [accept('slow', { dripMs: 5000 })],
    advice:
      'Read the whole body before you look at it, and give a request at least 15 seconds to arrive, in every proxy before ' +
      'your handler too.',
  },
  {
    name: 'oversized_body',
    title: 'A body of 1 MiB that we did not sign',
    expected: 'It is refused with 4xx, best 413, or the connection is closed.',
    steps: [refuse('oversized', { signature: 'foreign', fillBytes: 1024 * 1024 })],
    advice:
      'Ours have at most 20 kB. Read no more than 64 KiB of a body, and refuse what is longer, so that nobody can fill your memory.',
  },
];
