/**
 * What readers look for under a name that its page does not bear: the page or section that a search for exactly these
 * words finds first. Each word alone counts, too.
 */
export const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  '/docs#clients': ['install', 'installation', 'npm install', 'pip install', 'composer require', 'sdk', 'library'],
  '/docs/guides/getting-started': ['quickstart', 'quick start', 'tutorial', 'start'],
  '/docs/guides/sandbox': ['test mode', 'test card', 'test cards', 'test wallet', 'testing', 'play money', 'faucet'],
  '/docs/guides/going-live': ['deploy', 'deployment', 'production', 'go live', 'live mode', 'checklist'],
  '/docs/guides/money#what-it-costs': ['pricing', 'fees', 'fee', 'price list', 'cost', 'costs', 'commission'],
};

/** The keywords of an address. */
export const keywordsOf = (address: string): string => (KEYWORDS[address] ?? []).join(', ');
