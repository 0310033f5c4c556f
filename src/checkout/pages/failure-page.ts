import { AppError } from '../../lib/errors.ts';
import type { PageAnswer, PageCall } from '../../ports/page.ts';
import { type Context, htmlAnswer } from './context.ts';
import { keptQuery } from './embed.ts';
import { failureOf, type Subject } from './failures.ts';
import { render } from './render.ts';

/** The error page shown in place of a page that could not be made. */
export function failurePage(context: Context, call: PageCall, error: unknown, subject: Subject): PageAnswer {
  const failure = failureOf(error, subject, context.words);
  const retryAfter = error instanceof AppError ? error.retryAfterSeconds : undefined;
  const html = render('message', {
    ...context.frame,
    ...failure,
    title: failure.headline,
    refresh: null,
    again: failure.again ? `${pathOf(context, call)}${keptQuery(call)}` : null,
    requestId: call.origin.requestId,
    docsUrl: null,
  });
  return htmlAnswer(failure.status, html, retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) });
}

/** The page of an address that has none. Developers open the first one, too, to see whether the service runs. */
export function showLost({ deps, frame, words }: Context, { origin }: PageCall): PageAnswer {
  const { say } = words;
  const headline = say('failure.lost');
  const html = render('message', {
    ...frame,
    ...{ title: headline, headline, text: [say('failure.lost.why'), say('failure.lost.next')], icon: 'search' },
    ...{ refresh: null, again: null, requestId: origin.requestId, docsUrl: `${deps.publicUrl}/docs` },
  });
  return htmlAnswer(404, html);
}

/** The path of the page that the request was about, without the path of its form. */
export function pathOf({ base }: Pick<Context, 'base'>, { params, path }: PageCall): string {
  const slug = params['slug'];
  const token = params['token'];
  if (token !== undefined) return `${base}/refund/${encodeURIComponent(token)}`;
  if (path.startsWith(`${base}/customer`)) return `${base}/customer`;
  const id = params['id'] ?? '';
  if (path.startsWith(`${base}/verify/`)) return `${base}/verify/${encodeURIComponent(id)}`;
  if (slug !== undefined) return `${base}/pay/${encodeURIComponent(slug)}`;
  const kind = id.startsWith('cs_')
    ? 'session'
    : id.startsWith('sub_')
      ? 'subscription'
      : id.startsWith('plan_')
        ? 'plan'
        : 'payment';
  return `${base}/${kind}/${encodeURIComponent(id)}`;
}
