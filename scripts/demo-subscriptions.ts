/**
 * `npm run demo:subscriptions`: a year of a subscription in less than a minute, including a month in which the
 * customer's wallet is empty. Runs on a temporary service, or on the one at KASI_URL. Exits with 0 if everything was as
 * expected.
 */
import { playDemo } from './demo/stage.ts';
import { tellYear } from './demo/year.ts';

await playDemo({ title: 'Kasi: a year of a subscription', tell: tellYear });
