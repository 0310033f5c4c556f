import { testMonths } from './months.ts';

// `ten-months.long.test.ts` plays more.
testMonths(2);
