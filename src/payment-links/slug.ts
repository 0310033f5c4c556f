import { randomBytes } from 'node:crypto';
import { crockford } from '../lib/ids.ts';

const LENGTH = 10;
/** The fewest whole bytes that fill ten characters of five bits. */
const BYTES = 7;

/** An unguessable slug: 10 characters of lower-case Crockford base32, 50 random bits. */
export const generateSlug = (): string => crockford(randomBytes(BYTES)).slice(-LENGTH);
