import { testBodies, testIds, testQueries, useStage } from './bad-input.ts';

/** `bad-input.long.test.ts` sends the others, too. */
const EVERY = 3;

const stage = useStage();

testBodies(stage, EVERY);
testQueries(stage, EVERY);
testIds(stage, EVERY);
