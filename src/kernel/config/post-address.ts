const LOOPBACK = /^(localhost|\[::1\]|127(\.\d+){3})$/;

/** Why nothing is posted to this address; `undefined` when it may be. */
export function postProblem(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined) return 'it is no address';
  if (url.username !== '' || url.password !== '') return 'it holds a user name or a password';
  if (url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname))) return undefined;
  return 'it is neither https nor http on this machine';
}
