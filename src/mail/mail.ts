import type { Id } from '../lib/ids.ts';

/** Attempts at once in this process, each over a connection of its own. */
export const AT_ONCE = 4;

/** What a mail tells of. */
export type MailKind = 'receipt' | 'refund';

/** A mail to administrators, whose words are there when it is stored. */
export type OperatorMailKind = 'incidents' | 'digest';

/** A mail to be written: what it tells of, and whose it is. */
export type MailDraft = {
  readonly kind: MailKind;
  readonly merchantId: string;
  readonly paymentId: string;
  /** Of a refund. */
  readonly refundId: string | null;
};

/** A mail that is stored and not written yet. */
export type QueuedMail = MailDraft & { readonly id: string };

/** What a mail says, and to whom. */
export type Letter = {
  readonly recipient: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Whom an answer reaches; null: whoever MAIL_FROM reaches. */
  readonly replyTo: string | null;
  /** As in the header Content-Language. */
  readonly language: string;
};

/** Why a mail is not sent. */
export type DropReason = 'merchant' | 'address' | 'limit_payment' | 'limit_merchant';

/**
 * What becomes of a queued mail when it is written. `untold`: what it tells of is not so, or nobody is to be told; it
 * is forgotten, and may be queued again.
 */
export type Writing =
  | { readonly kind: 'letter'; readonly letter: Letter }
  | { readonly kind: 'dropped'; readonly reason: 'merchant' }
  | { readonly kind: 'untold' };

/** A mail on its way, claimed for one attempt. */
export type ClaimedMail = Letter & {
  readonly id: Id<'mail'>;
  /** This attempt, from 1. */
  readonly attempt: number;
  readonly createdAt: Date;
};

/** What a mail is stored under, so that each thing is told once. */
export const effectOf = ({ kind, paymentId, refundId }: MailDraft): string => `${kind}:${refundId ?? paymentId}`;
