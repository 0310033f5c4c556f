import { type KindOfIncident, NEVER } from '../kind.ts';

/** Kinds about chains, their nodes and watchers, and the accounts that send there. */
export const NETWORK_KINDS = {
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
      "The nightly comparison with this network's chain could not be made; the message has the node's words, such as that it keeps no logs or states of the blocks that are asked for, or says that a run did not come to its end.",
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
} as const satisfies Readonly<Record<string, KindOfIncident>>;
