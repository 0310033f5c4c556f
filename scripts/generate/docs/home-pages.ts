import { codeBlock } from './code.ts';
import { anchorOf } from './guide-page.ts';
import { escapeHtml } from './html.ts';
import { type Frame, layout } from './layout.ts';
import { type Guide, pageOf } from './library.ts';

const START = `curl -s http://localhost:3000/v1/checkout/sessions \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d '{
    "amount": 25,
    "currency": "USD",
    "successUrl": "https://shop.example/thanks",
    "cancelUrl": "https://shop.example/cart"
  }'
`;

/**
 * How a shop gets each client from a checkout of the repository, which is `kasi` beside the shop, and what else it
 * takes. None is published yet: `test/docs/published.test.ts` finds commands that forget it.
 */
const CLIENTS = [
  [
    'TypeScript',
    '@kasi/client',
    'npm pack --silent --workspace clients/typescript --prefix ../kasi --pack-destination .\nnpm install ./kasi-client-*.tgz',
    'On Node.js 20.19 or newer, Deno and Bun. To run a file in TypeScript as it is (<code>node shop.ts</code>), as the recipes do, take Node.js 24 and <code>npm pkg set type=module</code>. Where there is no <code>package.json</code> yet, <code>npm init -y</code> comes first, or npm installs into a folder above.',
  ],
  [
    'Python',
    'kasi',
    'pip install ../kasi/clients/python',
    'On Python 3.9 or newer, best in a virtual environment: <code>python3 -m venv venv &amp;&amp; . venv/bin/activate</code>.',
  ],
  [
    'PHP',
    'kasi/client',
    'composer config repositories.kasi path ../kasi/clients/php\ncomposer require kasi/client:@dev',
    'On PHP 8.1 or newer with curl and sodium. Where there is no <code>composer.json</code> yet, <code>composer init</code> comes first.',
  ],
] as const;

/** The first page: what this is, where to begin, all guides for merchants, and the clients. */
export function homePage(frame: Frame): string {
  const { guides, about } = frame.library;
  return layout(
    {
      title: 'Documentation',
      description: about,
      path: '/docs',
      markdown: '/llms.txt',
      book: 'merchants',
      crumbs: [],
      body: `<div class="text home">
<h1>Take crypto payments, priced in fiat</h1>
<p class="lead">${escapeHtml(about)}</p>
<p class="actions"><a class="button" href="/docs/guides/getting-started">Start in five minutes</a> <a href="/docs/reference">API reference</a></p>
<h2 id="first-request">One request, one page to pay on</h2>
<p>Run <code>npm start</code> for a sandbox with a real chain and play money, ask for 25 dollars, and send your customer to the <code>checkoutUrl</code> of the answer.</p>
${codeBlock(START, 'sh')}
${clients()}
</div>
${cards(guides.filter(({ book }) => book === 'merchants'))}
<div class="text">
<h2 id="operators">You run Kasi yourself?</h2>
<p>What administrators and those who keep the service running need is <a href="/docs/operators">a book of its own</a>, with <a href="/docs/reference/admin">a reference of its own</a>.</p>
<h2 id="machines">For programs that read</h2>
<p><a href="/llms.txt">/llms.txt</a> lists every page. Each guide and each operation is Markdown, too: add <code>.md</code> to its address, such as <code>/docs/guides/webhooks.md</code>, or read <code>/docs/reference.md</code> and <code>/docs/reference/createPayment.md</code>. <a href="/llms-full.txt">/llms-full.txt</a> has all guides in one file, and <a href="/v1/openapi.json">/v1/openapi.json</a> is the whole contract.</p>
</div>`,
    },
    frame,
  );
}

/** The first page of the book for those who run the service. */
export function operatorsPage(frame: Frame): string {
  return layout(
    {
      title: 'For operators',
      description: 'What administrators and those who keep a Kasi running need.',
      path: '/docs/operators',
      book: 'operators',
      crumbs: [],
      body: `<div class="text home">
<h1>For operators</h1>
<p class="lead">How to install Kasi, go live, and keep it running and safe, and what administrators decide. Merchants need none of it: <a href="/docs">their guides</a> are apart.</p>
<p class="actions"><a class="button" href="/docs/reference/admin">Administrators’ operations</a></p>
</div>
${cards(frame.library.guides.filter(({ book }) => book === 'operators'))}`,
    },
    frame,
  );
}

/** What answers an address of the site that there is not. */
export function missingPage(frame: Frame): string {
  return layout(
    {
      title: 'There is no such page',
      description: 'There is no such page.',
      path: '/docs/missing',
      book: 'merchants',
      crumbs: [],
      body: `<div class="text">
<h1>There is no such page</h1>
<p>It may have another name now. <a href="/docs/all">All pages and operations</a> are in one list, and <a href="/docs">the guides</a> begin here.</p>
</div>`,
    },
    frame,
  );
}

function cards(guides: readonly Guide[]): string {
  const groups = [...Map.groupBy(guides, ({ group }) => group)].map(
    ([title, members]) => `<section class="group" aria-labelledby="${anchorOf(title)}">
<h2 id="${anchorOf(title)}">${escapeHtml(title)}</h2>
<ul>${members.map(card).join('')}</ul>
</section>`,
  );
  return `<div class="groups">\n${groups.join('\n')}\n</div>`;
}

/** `data-was` is how the guide was called in addresses before it had a page; the script forwards them. */
const card = ({ name, title, summary }: Guide): string =>
  `<li><a href="${pageOf(name)}" data-was="${escapeHtml(title.replaceAll(' ', '-'))}">${escapeHtml(title)}</a><p>${escapeHtml(summary)}</p></li>\n`;

/** Where the first page tells how to get the clients, and what it says. */
export const CLIENTS_ADDRESS = '/docs#clients';
export const CLIENTS_SUMMARY =
  'How to install the clients today: TypeScript and JavaScript (npm), Python (pip), PHP (Composer). They know every operation, sign requests, repeat what is safe to repeat, and verify webhooks.';

function clients(): string {
  const blocks = CLIENTS.map(
    ([language, name, command, needs]) =>
      `<h3>${language}: <code>${name}</code></h3>\n${codeBlock(`${command}\n`, 'sh')}<p>${needs}</p>\n`,
  );
  return `<h2 id="clients">Clients</h2>
<p>Three clients know every operation, sign requests, repeat what is safe to repeat, and verify webhooks. They are not published yet: get them from a checkout of the repository. In the folder of your shop, with the checkout beside it in <code>../kasi</code>:</p>
${blocks.join('')}<p>For every other language, <a href="/docs/guides/generate-a-client">generate one</a>.</p>`;
}
