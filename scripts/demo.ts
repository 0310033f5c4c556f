/**
 * `npm run demo`: a shop's first day, from opening an account to the last webhook. Runs on a temporary service, or on
 * the one at KASI_URL. Exits with 0 if everything was as expected.
 */
import { playDemo } from './demo/stage.ts';
import { tellStory } from './demo/story.ts';

await playDemo({ title: 'Kasi: the first day of a shop', tell: tellStory });
