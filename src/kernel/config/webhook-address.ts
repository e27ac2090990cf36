const LOOPBACK = /^(localhost|\[::1\]|127(\.\d+){3})$/;

/** Why notices are not posted to this address; `undefined` when they may be. */
export function webhookProblem(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined) return 'it is no address';
  if (url.username !== '' || url.password !== '') return 'it holds a user name or a password';
  if (url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname))) return undefined;
  return 'it is neither https nor http on this machine';
}
