/**
 * A network's node did not answer, or not as a node does. That says nothing about the network: ask again later. Any
 * other error of a check is a verdict, which only another configuration changes.
 */
export class SilentNetworkError extends Error {
  constructor(network: string, reason: string, cause?: unknown) {
    super(`Network ${network} did not answer: ${reason}`, { cause });
    this.name = 'SilentNetworkError';
  }
}
