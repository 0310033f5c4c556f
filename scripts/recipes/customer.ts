/** What a form sends, and where to. */
type Form = { readonly action: string; readonly fields: Readonly<Record<string, string>> };

/** A customer of a shop: a browser without scripts, with one form on each page, and with cookies. */
export type Customer = {
  /** The page at an address of the shop. Throws if there is none. */
  readonly open: (path: string) => Promise<string>;
  /** Opens a page and sends its form, as its button does; where that leads to. Throws if it leads nowhere. */
  readonly press: (path: string) => Promise<string>;
};

export function createCustomer(shopUrl: string): Customer {
  const cookies = new Map<string, string>();
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const cookie = [...cookies].map((each) => each.join('=')).join('; ');
    const headers = { ...init.headers, ...(cookie && { cookie }) };
    const answer = await fetch(new URL(path, shopUrl), { ...init, headers, redirect: 'manual' });
    for (const each of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
      cookies.set(name, value);
    }
    return answer;
  };
  const open = async (path: string): Promise<string> => {
    const answer = await ask(path);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`GET ${path} answered ${answer.status}: ${text.slice(0, 2000)}`);
    return text;
  };
  const press = async (path: string): Promise<string> => {
    const { action, fields } = formOf(await open(path));
    const answer = await ask(action, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { origin: new URL(shopUrl).origin },
    });
    const location = answer.headers.get('location');
    if (location !== null && answer.status < 400) return location;
    throw new Error(`POST ${action} answered ${answer.status}: ${(await answer.text()).slice(0, 2000)}`);
  };
  return { open, press };
}

/** The first form of a page. Throws if it has none. */
function formOf(page: string): Form {
  const [, head = '', body = ''] = /<form\b([^>]*)>([\s\S]*?)<\/form>/.exec(page) ?? [];
  const action = valueIn(head, 'action');
  if (action === undefined) throw new Error(`The page has no form:\n${page.slice(0, 2000)}`);
  const inputs = [...body.matchAll(/<input\b[^>]*>/g)].map(([input]) => input);
  const fields = inputs.map((input) => [valueIn(input, 'name') ?? '', valueIn(input, 'value') ?? ''] as const);
  return { action, fields: Object.fromEntries(fields.filter(([name]) => name !== '')) };
}

const valueIn = (tag: string, name: string): string | undefined => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1];
