import { type KindOfIncident, NEVER } from '../kind.ts';

/** Kinds about what is paid in and out: payments, refunds, withdrawals, sweeps. */
export const PAYMENT_KINDS = {
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
