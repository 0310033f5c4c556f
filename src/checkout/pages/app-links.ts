/** A wallet's app, and the link that opens a page in the browser inside it. */
export type AppLink = { readonly name: string; readonly url: string };

/**
 * Links that open a page in the apps of wallets on a phone. The forms are the apps' own, from their documentation. None
 * for a page that phones can't reach safely: apps refuse plain http, and no phone reaches another machine's loopback.
 */
export function appLinks(page: string): AppLink[] {
  const { protocol, host, pathname, search } = new URL(page);
  if (protocol !== 'https:') return [];
  const encoded = encodeURIComponent(page);
  const inOkx = encodeURIComponent(`okx://wallet/dapp/url?dappUrl=${encoded}`);
  return [
    { name: 'MetaMask', url: `https://link.metamask.io/dapp/${host}${pathname}${search}` },
    { name: 'Trust Wallet', url: `https://link.trustwallet.com/open_url?coin_id=60&url=${encoded}` },
    { name: 'Coinbase Wallet', url: `https://go.cb-w.com/dapp?cb_url=${encoded}` },
    { name: 'Rainbow', url: `https://rnbwapp.com/dapp?url=${encoded}` },
    { name: 'OKX Wallet', url: `https://web3.okx.com/download?deeplink=${inOkx}` },
  ];
}
