import { isPrivateHost } from '../lib/network-address.ts';
import type { Network } from '../ports/chain.ts';
import type { NetworkOfEndpoints } from './endpoints.ts';

/**
 * What is wrong with the endpoints of a network, one sentence at most. Two endpoints of one provider fail and lie
 * together, so they are no second opinion.
 */
export function findEndpointConflicts({
  name,
  rpcUrl,
  otherRpcUrls = [],
  secondOpinionFrom = null,
}: NetworkOfEndpoints & Pick<Network, 'secondOpinionFrom'>): string[] {
  if (rpcUrl === '') return [`${name} names no endpoint: list the URLs of its providers in rpcUrls`];
  const urls = [rpcUrl, ...otherRpcUrls];
  const open = urls
    .map((url) => URL.parse(url))
    .find((url) => url?.protocol === 'http:' && !isPrivateHost(url.hostname));
  if (open) {
    const cure = 'whoever stands between can invent payments: use https, or a loopback or private address';
    return [`${name} is reached by plain http at ${open.host}, and ${cure}`];
  }
  const hosts = urls.map((url) => URL.parse(url)?.host);
  const twice = hosts.find((host, at) => hosts.indexOf(host) !== at);
  if (secondOpinionFrom !== null && hosts.length < 2) {
    return [`secondOpinionFrom of ${name} needs two endpoints: name another provider in rpcUrls, or leave it out`];
  }
  if (twice === undefined) return [];
  return [
    `rpcUrls of ${name} has ${twice} twice: endpoints of one provider are no second opinion, so name another one`,
  ];
}
