import type { Db } from '../../lib/db-types.ts';
import type { HandlersOf } from '../../ports/operation.ts';
import { explainWebhook } from './verify.ts';

/** The operation that explains why a webhook does not verify. */
export const verificationHandlers = (deps: { readonly db: Db }): HandlersOf<'verifyWebhookRequest'> => ({
  verifyWebhookRequest: async ({ principal, body, real }) => {
    const { headers, body: text } = body;
    const receivedAt = body.receivedAt === undefined ? real : new Date(body.receivedAt);
    const { merchantId } = principal;
    return { status: 200, body: await explainWebhook(deps.db, { merchantId, headers, body: text, receivedAt, real }) };
  },
});
