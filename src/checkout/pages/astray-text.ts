import type { components } from '../../../generated/api.ts';
import { arrivedText, networkText } from './format.ts';

type PublicPayment = components['schemas']['PublicPayment'];
type Transfer = PublicPayment['transactions'][number];

/** As many ways to pay are named in a sentence; of more, the one that the page shows. */
const NAMED_MAX = 3;

/** What arrived in a token or on a network that was not asked for, what was asked, and what becomes of it. */
export function astrayText(payment: PublicPayment): string {
  const { merchantName, refundOffer } = payment;
  const astray = payment.transactions.find(isAstray);
  const arrived = astray ? mistakeText(payment, astray) : 'A token arrived that this payment does not accept.';
  if (refundOffer) return `${arrived} It was not counted.`;
  return `${arrived} It was not counted; ${merchantName} can see it. Please get in touch with them.`;
}

/**
 * What became of money on a payment that is over, to which nothing else came; null when none did. `given` says that it
 * went back.
 */
export function astrayLeft(payment: PublicPayment, given: string): readonly string[] | null {
  if (!payment.transactions.some((each) => isAstray(each) && each.value > 0)) return null;
  if (payment.amountRefunded > 0) return [given];
  const stop = 'Please send nothing to its address any more.';
  if (payment.exception === null) return [`${payment.merchantName} has accepted what you sent. ${stop}`];
  return [`What you sent did not pay it, and it is not lost. ${stop}`];
}

/** Whether it came in a token or on a network that was not asked for. */
const isAstray = ({ astray }: Transfer): boolean => astray === 'network' || astray === 'token';

function mistakeText({ options, token, network }: PublicPayment, astray: Transfer): string {
  const asked = options.filter((option) => astray.astray === 'token' || option.token === astray.token);
  const named = asked.length > 0 && asked.length <= NAMED_MAX ? asked : [{ token, network }];
  const ways = named.map((option) => `${option.token} on ${networkText(option.network)}`);
  const arrived = `${arrivedText(astray.amount, astray.token)} arrived on ${networkText(astray.network)}`;
  return `${arrived}. This payment asked for ${ways.join(' or ')}.`;
}
