import type { KindOfIncident } from './kind.ts';

const NEVER = 'The service can not see its end: resolve it when you are done.';

/**
 * Every kind of incident, as data: what the API, the alerts and the chapter "Incidents" of the documentation say about
 * it. `npm run generate` writes that chapter, so a kind can't be without a page.
 */
export const INCIDENT_KINDS = {
  'chain.endpoint': {
    resource: 'endpoint',
    severity: 'warning',
    title: 'An endpoint of a network is out',
    meaning:
      'One of the endpoints of a network can not be reached, counts our calls (429), answers nonsense, serves another chain, lags behind, or contradicts itself or the others. The message names its host and what it did.',
    effect:
      'Another endpoint of the network is asked meanwhile. Where there is no other the watcher waits: payments there neither confirm nor expire, and nothing is lost.',
    action:
      'For 429 take a larger plan or add a provider to `rpcUrls`. An endpoint of another chain is a mistake in the file of `KASI_NETWORKS`. One that leaves logs out or contradicts the others is not to be trusted: replace it.',
    end: 'It is resolved when the endpoint does its part again, or no process has listed the network for an hour.',
  },
  'chain.uncompared': {
    resource: 'network',
    severity: 'warning',
    title: 'The ledger could not be compared with the chain',
    meaning:
      "The nightly comparison with this network's chain could not be made; the message has the node's words, such as that it keeps no logs or states of the blocks that are asked for.",
    effect: 'Nothing was compared on that network. Payments and payouts go on.',
    action:
      'See whether the node answers and keeps its recent states. The next night, or `npx kasi reconcile`, tries again.',
    end: 'It is resolved when the comparison is made, or no process has listed the network for an hour.',
  },
  'chain.unexplained': {
    resource: 'network',
    severity: 'critical',
    title: 'The chain does not have what the ledger says',
    meaning:
      'A deposit address, a collected charge or the treasury holds something else than credits and sweeps explain. The details list the first 50 findings.',
    effect:
      'More on the chain than in the ledger is a deposit that was never credited. Less is money that merchants were credited with and that does not exist. Nothing is stopped.',
    action:
      'Run `npx kasi reconcile`, which names every finding. Look the address or the transaction up with another node than ours. A deposit that was never credited is found by `npx kasi recover <network> <address>`, or by `npx kasi rescan <network> <from> <to>` with the blocks around it. Where money does not exist, freeze the merchants who could withdraw it first. When another node shows what ours has kept back, `npx kasi reconcile --reread <network>` reads the treasury again.',
    end: 'A later comparison that finds nothing resolves it.',
  },
  'chain.disagreement': {
    resource: 'network',
    severity: 'critical',
    title: 'The endpoints of a network do not agree',
    meaning:
      'The endpoints show different blocks, or one shows a transfer that another one does not. The message names the hosts and what each shows; the subject says whether it waits to be confirmed or was looked at again when final.',
    effect: 'What they do not agree about waits: it is neither paid nor reversed. All else of the network goes on.',
    action:
      'See which endpoint is right, with an explorer of the chain. Take the wrong one out of `rpcUrls`, add another provider, and restart.',
    end: 'It is resolved when two endpoints show the same, or the reorg that they disagreed about is over.',
  },
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
  'chain.finality': {
    resource: 'network',
    severity: 'critical',
    title: 'The finality of a network does not advance',
    meaning:
      'The chain calls no block final, or the final block stands still for nine minutes, or it went back. The message says which.',
    effect:
      'Payments of the network that count by finality wait; none is lost. Payouts there are not verified meanwhile.',
    action:
      'See with an explorer whether the chain itself has stopped to finalise. If it has not, the endpoint is wrong: replace it in `rpcUrls`.',
    end: 'It is resolved when a newer block is final, or no process has listed the network for an hour.',
  },
  'ledger.reconcile': {
    resource: 'ledger',
    severity: 'critical',
    title: 'The reconciliation has findings, or did not finish',
    meaning:
      'The nightly reconciliation found that the ledger and what it is about disagree. The details list the first 50 findings. About `run`: it did not finish within an hour, failed or was stopped, so nobody knows.',
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
  'network.closed': {
    resource: 'network',
    severity: 'critical',
    title: 'Nothing is offered on a network',
    meaning:
      'No process has had an answer from the network for a minute, or what the configuration names there is wrong; the message says which.',
    effect:
      'Payments do not offer the network, and asking for it is refused with 503. Payments that exist go on, charges there wait, other networks are not touched.',
    action:
      'When it is silent, see whether its node runs and whether every host reaches it. When something is wrong, correct the file of `KASI_NETWORKS` or deploy what is missing. Each process asks again every minute.',
    end: 'It is resolved when the network passes its check again, or no process has listed the network for an hour.',
  },
  'network.delisted': {
    resource: 'network',
    severity: 'critical',
    title: 'What is no longer listed is still depended on',
    meaning:
      'No running process has a network, or a token of it, in its file of `KASI_NETWORKS` any more, for three minutes at least, and payments that are not over, transfers and payouts that are not final, withdrawals, refunds, subscriptions or charges depend on it; the message counts them, a thousand at most.',
    effect:
      'Nothing new begins there. For an hour nothing comes to an end. Then payments expire at their deadline without waiting for that network, and subscriptions there pause when they are next due. A payment whose money was seen there and not confirmed goes on waiting, because nobody can tell what became of it. Withdrawals are held from the start: the merchant can cancel them, and they are completed only by two people with a note. Refunds are not begun. A token of a network that is listed is watched on until its payments are over.',
    action:
      'If the list is wrong, mend it within the hour and restart all processes. Else tell the merchants, who cancel their withdrawals and offer their customers another plan, and reject or fail the rest, refunds too: their money is then with the payment again. To give up a network for good, list it again until what was seen there is final.',
    end: 'It is resolved when it is listed again, or nothing depends on it any more. Subscriptions that are paused do not count: their merchants were told.',
  },
  'operator.funds': {
    resource: 'operator_account',
    severity: 'critical',
    title: 'The operator has too little for its fees',
    meaning: 'The account that sends our transactions on this network can not pay the fees of the next one.',
    effect: 'Charges and mandates of that network wait. Payments and payouts go on.',
    action: "Send the account some of the network's coin. What waits is sent then.",
    end: 'It is resolved when the account has enough, or no process has listed the network for an hour.',
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
  'operator.refused': {
    resource: 'operator_transaction',
    severity: 'critical',
    title: 'A node refuses a transaction of ours',
    meaning: "The node will not take a signed transaction; the message has the node's words.",
    effect:
      'Nothing else of the account is sent on this network before this transaction is taken, so charges there wait.',
    action:
      "See what the node's words mean; another node may take it. Make sure that its chain id is the one of the network file.",
    end: 'It is resolved when a node takes the transaction.',
  },
  'payment.coin_short': {
    resource: 'payment',
    severity: 'critical',
    title: 'The chain shows less of a coin than was credited',
    meaning:
      "All that ever came to the payment's address in the chain's coin, by what it holds and what was swept from it, is less than what is credited there. An endpoint shows an old or invented state, or it has shown one before; or a sweep of the address was not seen.",
    effect: 'Nothing is changed: what is credited stays, and nothing new is credited at that address until it is more.',
    action:
      'Look the address up with an explorer of the chain. Where an endpoint is wrong, replace it in `rpcUrls`. Where a sweep was not seen, `npx kasi rescan <network> <from> <to>` with the blocks around it finds it. Where the money does not exist, freeze the merchant before it is withdrawn.',
    end: 'The address is read again until it agrees; then it is resolved.',
  },
  'payment.dust': {
    resource: 'network',
    severity: 'warning',
    title: 'Payments get thousands of tiny transfers',
    meaning:
      'A payment with a thousand transfers got one of less than a cent, or a payment with ten thousand got one of less than a dollar, and the transfer does not complete the payment. This is spam. The message describes the last block with such transfers, and the details name its payments.',
    effect:
      'What is too small is not credited: the merchant is not shown it, and it is swept to the treasury when something else is. The payments, and what is worth more, go on as before.',
    action:
      'Usually nothing: each transfer costs its sender gas. Where many payments are hit, see who creates them. A payer who really paid in so many parts is owed the rest: the table `dust` lists it by address.',
    end: NEVER,
  },
  'payment.parked': {
    resource: 'payment',
    severity: 'critical',
    title: 'Transfers to a payment can not be counted',
    meaning:
      'Booking what arrived for one payment fails whenever it is tried alone; the message is the error, the log has its stack.',
    effect: 'What arrived is stored and not credited, and the payment keeps its state. Other payments are not delayed.',
    action:
      'Mend the cause, then try it again. By themselves, parked transfers are tried again with the next transfer to the payment, when it is cancelled or resolved, and at its deadline.',
    end: 'It is resolved when the parked transfers are counted.',
    retry: 'The parked transfers of the payment are counted at once.',
  },
  'payment.reversed': {
    resource: 'payment',
    severity: 'critical',
    title: 'A reorg took back money that was available',
    meaning:
      'The chain was reorganised more deeply than we wait for, and money was reversed that the merchant could already spend.',
    effect:
      'What the merchant could no longer cover is its debt, which later income repays; until then nothing is paid out to it.',
    action:
      'See whether the chain really was reorganised so deeply, and ask the network for more `confirmations` if so. Tell the merchant.',
    end: 'It is resolved when the money is back and confirmed.',
  },
  'payment.revived': {
    resource: 'payment',
    severity: 'warning',
    title: 'Money came to a payment that was removed',
    meaning:
      'A payment of a link ended unpaid and was removed after 30 days. Money has come to its address since, and waits; the payment is back as it was, and the message says when it was removed.',
    effect:
      'The merchant hears of it by `payment.exception`. The money waits in suspense until the merchant accepts it; nothing else is touched.',
    action:
      'Tell the merchant, who may know the payer: the merchant accepts the payment, or you return the money. The removed payment has no e-mail address of its payer.',
    end: 'It is resolved when none of the money waits any more.',
  },
  'payment.vanished': {
    resource: 'payment',
    severity: 'critical',
    title: 'A transfer that was counted is not on the chain',
    meaning:
      'A transfer was confirmed, and when its block was final it was not there: an endpoint invented it, or the chain was reorganised unnoticed. The message names the hosts and what each shows.',
    effect: 'The transfer is reversed, as after a reorg. What the merchant could no longer cover is its debt.',
    action:
      'Find out which endpoint showed it and replace that one. Ask the network for more `confirmations`, or for a second opinion (`secondOpinionFrom`). Tell the merchant.',
    end: NEVER,
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
  'refund.reverted': {
    resource: 'refund',
    severity: 'critical',
    title: 'The chain took back the payout of a refund',
    meaning:
      'A refund was completed by a transaction that the chain showed, and now that its block should be final the transaction is not there. The message names it, and says what each endpoint shows.',
    effect:
      'The refund is processing again and its money is held again; its merchant was told by `refund.reverted`, and the page of its payer says so. Where the same transaction paid others, each of them has an incident of its own.',
    action:
      'As for `withdrawal.reverted`: look for the transaction on the chain and in the pool of the wallet that sent it before anything is paid again. If another transaction took its nonce and paid the same, complete the refund with that one. Else pay again with the very nonce of the lost transaction, so that only one of the two can ever be mined.',
    end: 'It is resolved when the refund is completed again, or failed.',
  },
  'refund.resurfaced': {
    resource: 'refund',
    severity: 'critical',
    title: 'The payout of a refund that was taken back is there after all',
    meaning:
      'The chain took the payout of a refund back, and now an endpoint has its transaction again, in a block or in its pool. Such transactions are looked for twice a minute while the refund is processing, and every ten minutes for thirty days. The message says what became of the refund.',
    effect:
      'While the refund is processing it can only be completed with this transaction. If it has failed, its payer has the money and its merchant, too; if it was completed with another one, its payer has it twice. Or they will have it.',
    action:
      'While the refund is processing, do not pay again: complete it with this transaction once that is mined. If it has ended, look with an explorer whether both transactions paid, and agree with the merchant who bears it.',
    end: 'It is resolved when a payout is completed with the transaction, or no endpoint has it any more. Else resolve it when you are done; it comes back only if something else is seen of the transaction.',
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
  'subscription.dear_gas': {
    resource: 'network',
    severity: 'warning',
    title: 'Charges on a network are not worth their gas',
    meaning:
      'Gas on the network has cost more than `maxGasShare` of some charges for a day. The message says how many they are, and names the oldest.',
    effect: 'These charges wait; they neither fail nor use up a try. Larger charges there go on.',
    action:
      'Wait for cheaper gas, raise `maxGasShare` of the network, or offer such small plans on a cheaper network. See that the price of the coin is right.',
    end: 'It is resolved when no charge there has waited for a day.',
  },
  'subscription.network': {
    resource: 'network',
    severity: 'warning',
    title: 'Nothing can be collected on a network',
    meaning:
      'The message says whether the node is away, gas costs more than `gasPriceMaxGwei`, or the collector is paused or no longer listed.',
    effect:
      'Charges of that network wait and use up no retry. Without a collector in the list customers can not agree, and their deadlines move.',
    action:
      'Mend what the message names: another node, another limit for gas, the pause of the collector, or `collector` in the list.',
    end: 'It is resolved when something can be collected again, or nothing was due there for an hour.',
  },
  'subscription.parked': {
    resource: 'subscription',
    severity: 'critical',
    title: 'A subscription can not go on',
    meaning:
      'A subscription, its charge or an event about it fails whenever it is tried alone; the message is the error.',
    effect: 'This subscription waits: it is neither charged nor ended. Others are not delayed.',
    action:
      'Mend the cause, then try it again. By themselves, the subscription and its charge are tried again every 15 minutes, an event about it every hour.',
    end: 'It is resolved when what was parked has gone through.',
    retry: 'The subscription, its charge and the events about it are taken up at once.',
  },
  'subscription.reverted': {
    resource: 'operator_transaction',
    severity: 'warning',
    title: 'A transaction of ours was reverted as a whole',
    meaning: 'A collection or a relayed mandate reached the chain and had no effect.',
    effect:
      'Charges are sent again, in smaller batches. A relayed mandate is not, and its customer is asked to agree by a transaction of the wallet.',
    action: 'Look the transaction of the message up on the chain, to see why.',
    end: NEVER,
  },
  'subscription.unconfirmed': {
    resource: 'charge',
    severity: 'warning',
    title: 'A collected charge is not deep enough after a day',
    meaning:
      "A charge was collected more than a day ago and its block is not deep enough yet: the chain's finality is late.",
    effect: 'The charge waits. It is not collected again.',
    action: 'See whether the network makes blocks and finalizes them. Nothing has to be done here.',
    end: 'It is resolved when the charge is confirmed, or when a reorg reverses it.',
  },
  'subscription.unexplained': {
    resource: 'charge',
    severity: 'critical',
    title: 'The chain counted a charge of which no event says so',
    meaning:
      "The collector's state says that a number was charged, and the watcher, which has read those blocks, has seen no event of it.",
    effect: 'The charge waits and is not sent. No number is charged twice.',
    action:
      'Look on the chain for the collection with this mandate and number. If it is there, the node has kept its event from the watcher: use another node, and read the block again with `npx kasi rescan`.',
    end: 'It is resolved when the event is seen.',
    retry: 'The charge is looked at again at once, and parked events of its subscription are applied.',
  },
  'subscription.unknown_mandate': {
    resource: 'mandate',
    severity: 'critical',
    title: 'Our collector collected by a mandate that is not known',
    meaning: "Either the database was restored from an older copy, or somebody else has the operator's key.",
    effect:
      "A customer paid into the treasury without a charge here. With a stolen key every customer's mandate can be charged, within its limits.",
    action:
      'If the database came back older, restore a newer copy of it, or pay the money back and have the payer revoke the mandate. If it did not, pause the collector and replace its operator.',
    end: NEVER,
  },
  'sweep.refused': {
    resource: 'network',
    severity: 'warning',
    title: 'A token refuses to move deposits into the treasury',
    meaning:
      'A sweep went through and some deposits stayed on their addresses, or the token reverted all of it. The issuer may have paused the token, or blocked the addresses or the treasury. The message names token and transaction, the details the addresses.',
    effect:
      'The money lies where it arrived, and merchants were credited with it. Other deposits are swept. These are tried again after a day, then after two, four, and so on up to 32.',
    action:
      'Ask the issuer of the token why. If the treasury itself is blocked, let another one succeed it (`former` in the file of `KASI_NETWORKS`), so that new payments go there.',
    end: 'It is resolved when the deposits have been swept.',
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
  'watcher.other_list': {
    resource: 'network',
    severity: 'warning',
    title: 'A token is paid that the list of a process lacks',
    meaning:
      'A process watches this network by a list of tokens without one that another process has listed since, or that an open payment offers. The message names it.',
    effect: 'Nothing is lost: the process watches that token, too, as long as it runs.',
    action:
      'Give every process the same file of `KASI_NETWORKS` and restart those that have another. A token that was taken off the list is watched until no open payment offers it.',
    end: NEVER,
  },
  'watcher.blind': {
    resource: 'network',
    severity: 'critical',
    title: 'A network shows nothing new',
    meaning: 'The watcher of this network has seen nothing new of its chain for 30 minutes.',
    effect: 'Payments there neither confirm nor expire. Nothing is lost: the watcher goes on where it stands.',
    action: "See whether the network's node answers and follows its chain.",
    end: 'It is resolved when the chain shows something new, or no process has listed the network for an hour.',
  },
  'watcher.coins_unread': {
    resource: 'network',
    severity: 'critical',
    title: 'What comes in the coin of a network can not be read',
    meaning:
      'No endpoint of this network answers how much of its coin lies on deposit addresses, or what waits in its pool, while they answer everything else. Some providers refuse such calls (`eth_call` by the hash of a block, `getrawmempool`), forget old states too soon, or answer the same question differently each time. The message says what was answered.',
    effect:
      'Payments in tokens go on. Those in the coin are not seen, and payments that offer it do not expire meanwhile. Nothing is lost: what came is found by the next reading that succeeds.',
    action:
      'Ask the provider, or list another endpoint (`rpcUrls` in the file of `KASI_NETWORKS`). `npx kasi doctor` tries the same call, once.',
    end: 'It is resolved when a reading succeeds, when the coin is taken off the list and no open payment offers it, or when no process has listed the network for an hour.',
  },
  'withdrawal.reverted': {
    resource: 'withdrawal',
    severity: 'critical',
    title: 'The chain took back a payout that was completed',
    meaning:
      'A withdrawal was completed by a transaction that the chain showed, and now that its block should be final the transaction is not there. The message names it, and says what each endpoint shows.',
    effect:
      "The withdrawal is processing again and its whole amount is held again; its merchant was told by `withdrawal.reverted`. Until it is completed or failed it counts among the merchant's open withdrawals.",
    action:
      'Before anything is paid again, look for the transaction on the chain and in the pool of the wallet that sent it: it may have been replaced, and may still be mined. If another transaction took its nonce and paid the same, complete the withdrawal with that one. Else pay again with the very nonce of the lost transaction, so that only one of the two can ever be mined. If the merchant owes by now, fail the withdrawal instead, once the lost transaction can not be mined any more: that repays the debt. Then ask the network for more `confirmations`.',
    end: 'It is resolved when the withdrawal is completed again, or failed.',
  },
  'withdrawal.resurfaced': {
    resource: 'withdrawal',
    severity: 'critical',
    title: 'A payout that was taken back is there after all',
    meaning:
      'The chain took a payout back, and now an endpoint has its transaction again, in a block or in its pool. Such transactions are looked for twice a minute while the withdrawal is processing, and every ten minutes for thirty days. The message says what became of the withdrawal.',
    effect:
      'While the withdrawal is processing it can only be completed with this transaction. If it has failed, or was completed with another one, its merchant has the money twice, or will have it.',
    action:
      'While the withdrawal is processing, do not pay again: complete it with this transaction once that is mined. If it has ended, freeze the merchant, look with an explorer whether both transactions paid, and agree with the merchant how the money comes back. Another withdrawal of that merchant to the same address, of no larger amount, can be completed with the transaction instead of being paid.',
    end: 'It is resolved when a payout is completed with the transaction, or no endpoint has it any more. Else resolve it when you are done; it comes back only if something else is seen of the transaction.',
  },
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
