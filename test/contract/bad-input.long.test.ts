import { testBodies, testIds, testQueries, useStage } from './bad-input.ts';
import { testForms, testMethods, testRest, testSurprises, testUnknown } from './bad-requests.ts';

const stage = useStage();

testBodies(stage, 1);
testQueries(stage, 1);
testIds(stage, 1);
testForms(stage, 1);
testSurprises(stage, 1);
testUnknown(stage);
testMethods(stage, 1);
testRest(stage);
