import type { components } from '../../../generated/api.ts';
import { networkText } from './format.ts';
import type { Words } from './words.ts';

type PublicPayment = components['schemas']['PublicPayment'];
type Transfer = PublicPayment['transactions'][number];

/** As many ways to pay are named in a sentence; of more, the one that the page shows. */
const NAMED_MAX = 3;

/** What arrived in a token or on a network that was not asked for, what was asked, and what becomes of it. */
export function astrayText(payment: PublicPayment, words: Words): string {
  const { merchantName, refundOffer } = payment;
  const { say } = words;
  const astray = payment.transactions.find(isAstray);
  const arrived = astray ? mistakeText(payment, astray, words) : say('astray.unknown');
  const became = refundOffer ? say('astray.not_counted') : say('astray.visible', { merchant: merchantName });
  return `${arrived} ${became}`;
}

/**
 * What became of money on a payment that is over, to which nothing else came; null when none did. `given` says that it
 * went back.
 */
export function astrayLeft(payment: PublicPayment, given: string, { say }: Words): readonly string[] | null {
  if (!payment.transactions.some((each) => isAstray(each) && each.value > 0)) return null;
  if (payment.amountRefunded > 0) return [given];
  const accepted = payment.exception === null;
  const became = accepted ? say('astray.accepted', { merchant: payment.merchantName }) : say('astray.not_lost');
  return [`${became} ${say('payment.stop')}`];
}

/** Whether it came in a token or on a network that was not asked for. */
const isAstray = ({ astray }: Transfer): boolean => astray === 'network' || astray === 'token';

function mistakeText({ options, token, network }: PublicPayment, astray: Transfer, words: Words): string {
  const asked = options.filter((option) => astray.astray === 'token' || option.token === astray.token);
  const named = asked.length > 0 && asked.length <= NAMED_MAX ? asked : [{ token, network }];
  const ways = named.map((option) =>
    words.say('on_network', { money: option.token, network: networkText(option.network) }),
  );
  return words.say('astray.arrived', {
    amount: words.arrived(astray.amount, astray.token),
    network: networkText(astray.network),
    ways: words.anyOf(ways),
  });
}
