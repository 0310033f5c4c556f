/**
 * `npm run demo`: a shop's first day, from opening an account to the last webhook, on a service of its own that is gone afterwards, or
 * on the one that KASI_URL leads to. Exits with 0 when everything was as it should be.
 */
import { playDemo } from './demo/stage.ts';
import { tellStory } from './demo/story.ts';

await playDemo({ title: 'Kasi: the first day of a shop', tell: tellStory });
