import { type KindOfIncident, NEVER } from '../kind.ts';

/** Kinds about the platform itself: its books, rates, settings, mail and accounts. */
export const PLATFORM_KINDS = {
  'identity.codes_locked': {
    resource: 'account',
    severity: 'critical',
    title: 'Somebody guesses the codes of an account',
    meaning:
      'Twenty wrong codes of the second factor in a row were sent for a merchant or an administrator. Codes are asked for only after the right password or within a session, so somebody has one of these.',
    effect:
      'Codes of the app are no longer taken for this account; a recovery code still is. Other accounts are not touched.',
    action:
      'Tell the owner, who should log in with a recovery code and change the password, which ends every other session. Without one: `npx kasi reset-two-factor` for a merchant, `npx kasi admin <e-mail> --reset-two-factor` for an administrator. Deactivate an administrator who is not needed any more.',
    end: 'It is resolved when a recovery code is used, or two-factor authentication is reset; by hand not before, except for a deactivated administrator and a terminated merchant.',
    cure: 'The codes of the account are still locked. Have its owner log in with a recovery code, or reset two-factor authentication: npx kasi reset-two-factor for a merchant, npx kasi admin <e-mail> --reset-two-factor for an administrator. Or deactivate the administrator, and then resolve this.',
  },
  'ledger.reconcile': {
    resource: 'ledger',
    severity: 'critical',
    title: 'The reconciliation has findings, or did not finish',
    meaning:
      'The nightly reconciliation found that the ledger and what it is about disagree. The details list the first 50 findings. About `run`: it did not finish within an hour, failed or was stopped, or its process was killed, so nobody knows.',
    effect: 'Balances may be wrong for the resources that the findings name. Nothing is stopped.',
    action:
      'Run `npx kasi reconcile`, which names every finding and has no time limit. Find the cause first. Journals never change, so a correction is another journal.',
    end: 'A later run without findings resolves it; one that finishes resolves that about `run`.',
  },
  'merchant.renamed': {
    resource: 'account',
    severity: 'warning',
    title: 'An approved merchant calls itself something else',
    meaning:
      'An active merchant has changed its business name; the message has both. Payers read that name where they pay, and you approved another one.',
    effect: 'Nothing is stopped: the new name stands on the pages, receipts and statements of the merchant.',
    action:
      'See whether the new name is that of the same business, and not one that payers would take for someone else. If it is, freeze the merchant and ask. The audit log has each change.',
    end: NEVER,
  },
  'mail.failing': {
    resource: 'mail_server',
    severity: 'warning',
    title: 'Mails are not taken',
    meaning:
      'The server of `SMTP_URL` has taken no mail for ten minutes: it can not be reached, refuses our login or sender, or answers nothing useful. The message has its host and code.',
    effect: 'Receipts wait, and are given up after a day. Payments, webhooks and all else go on.',
    action: 'See what `npx kasi doctor` says of it, and whether the password of `SMTP_URL` still holds.',
    end: 'It is resolved when the server takes a mail or a login again, or no process has tried it for an hour.',
  },
  'rates.refused': {
    resource: 'currency_pair',
    severity: 'critical',
    title: 'Too few sources agree on a rate',
    meaning:
      'The sources of a rate do not answer, are too old or contradict each other; the message says what is wrong with each.',
    effect:
      'Ten minutes after the last good rate, payments in that currency are refused. Payments that exist keep their rate. Without the price of a coin, charges are not compared with their gas.',
    action:
      'Mend or replace the source in the file of `KASI_NETWORKS`, or set a rate in `manualRates`, which on a live platform waits for `changeDelayHours`.',
    end: 'It is resolved when enough sources agree again, or no process has asked for the pair for an hour.',
  },
  'settings.change_pending': {
    resource: 'change',
    severity: 'critical',
    title: 'A change that touches where money goes waits',
    meaning:
      'An administrator wants to change settings, a role or an administrator in a way that touches where money goes; the message says who, what and when.',
    effect: 'Nothing has changed yet. The change takes effect at the time of the message, unless somebody cancels it.',
    action:
      'Ask whoever proposed it whether they did. If they did not, cancel it at `POST /v1/admin/changes/{id}/cancel`, deactivate their account, which also stops the change, and make them a new one.',
    end: 'It is resolved when the change took effect, was cancelled or expired; not by hand before.',
    cure: 'The change still waits. Approve it, or cancel it at POST /v1/admin/changes/{id}/cancel with the id that the incident names.',
  },
  'tallies.drift': {
    resource: 'tallies',
    severity: 'warning',
    title: 'A total was not what its rows are, and was repaired',
    meaning:
      'Totals of lists, what a merchant has earned and what was paid through a link are kept beside the rows and recounted once a day. Some were wrong. The details list the first 50: list, owner, slice, the day (or month, or all), and what was missing. Under `unread` they list what could not be recounted, with the reason: mostly a day with more rows than a statement can read in its time.',
    effect:
      'Totals and page numbers, `totalEarned` or the figures of a link were wrong by that much since the last round. They are right again; what is unread stays as it is until a round can recount it. The ledger is not touched: no money depends on them.',
    action:
      'Ask who wrote past the triggers of the tables: a restored table, a change by hand with triggers turned off. Without such a cause report it with the details. `npx kasi reconcile` compares all totals without that limit of time.',
    end: 'It is resolved when a whole round of a day finds nothing.',
  },
} as const satisfies Readonly<Record<string, KindOfIncident>>;
