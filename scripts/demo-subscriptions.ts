/**
 * `npm run demo:subscriptions`: a year of a subscription in less than a minute, with a month in which the customer's wallet is empty, on
 * a service of its own that is gone afterwards, or on the one that KASI_URL leads to. Exits with 0 when everything was as it should be.
 */
import { playDemo } from './demo/stage.ts';
import { tellYear } from './demo/year.ts';

await playDemo({ title: 'Kasi: a year of a subscription', tell: tellYear });
