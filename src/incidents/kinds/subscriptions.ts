import { type KindOfIncident, NEVER } from '../kind.ts';

/** Kinds about subscriptions, their charges and mandates. */
export const SUBSCRIPTION_KINDS = {
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
} as const satisfies Readonly<Record<string, KindOfIncident>>;
