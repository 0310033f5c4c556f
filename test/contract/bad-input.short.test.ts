import { testBodies, testIds, testQueries, useStage } from './bad-input.ts';
import { testForms, testMethods, testRest, testSurprises, testUnknown } from './bad-requests.ts';

/** `bad-input.long.test.ts` sends the others, too. */
const EVERY = 5;

const stage = useStage();

testBodies(stage, EVERY);
testQueries(stage, EVERY);
testIds(stage, EVERY);
testForms(stage, EVERY);
testSurprises(stage, EVERY);
testUnknown(stage);
testMethods(stage, EVERY);
testRest(stage);
