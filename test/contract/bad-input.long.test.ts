import { testBodies, testIds, testQueries, useStage } from './bad-input.ts';

const stage = useStage();

testBodies(stage, 1);
testQueries(stage, 1);
testIds(stage, 1);
