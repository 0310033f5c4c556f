import { testMonths } from './months.ts';

testMonths(10);
