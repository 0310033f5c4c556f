import { blocks, readGuide, section } from './guide.ts';

/** A request and its signature, as the guide publishes them. */
export type Vector = {
  readonly timestamp: string;
  readonly method: string;
  readonly target: string;
  readonly body: string;
  readonly key: string;
  readonly signature: string;
};

const [given = '', ...written] = blocks(section(readGuide('signing'), '## Test vectors'), '');
const [secret = '', time = ''] = given.split('\n');

/** The secret that signed all vectors. */
export const SECRET = secret;

/** The guide's vectors, in its order. */
export const VECTORS = written.map((block, index): Vector => {
  const [request = '', body = '', key = '', signature = ''] = block.split('\n');
  const [method = '', target = ''] = request.split(' ');
  // The last one shows the request that needs no timestamp.
  return { timestamp: index === written.length - 1 ? '' : time, method, target, body, key, signature };
});
