/** What is wrong with a URL that a browser may be sent to, as the rest of a sentence; null when nothing is. */
export function findPageProblem(text: string): string | null {
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return 'must be a full http or https URL';
  return url.username || url.password ? 'must not contain a user name or password' : null;
}
