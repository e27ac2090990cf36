import { databaseAddressInvalid } from './errors.ts';

const PROTOCOLS = new Set(['postgres:', 'postgresql:']);

/** The address as it may be shown: without its password and whatever else stands in its parameters. */
export function shownAddress(url: string): string {
  const { protocol, username, host, pathname, searchParams } = parsed(url);
  const user = username === '' ? '' : `${username}@`;
  const place = host === '' ? (searchParams.get('host') ?? '') : host;
  return `${protocol}//${user}${place}${pathname}`;
}

function parsed(url: string): URL {
  // The error of a text that is no URL quotes it whole.
  if (!URL.canParse(url)) throw databaseAddressInvalid({ reason: 'it is not a URL' });
  const address = new URL(url);
  if (!PROTOCOLS.has(address.protocol)) throw databaseAddressInvalid({ reason: `${address.protocol}// is not postgres://` });
  return address;
}
