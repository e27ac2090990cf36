/** What git takes as the name of a branch; checked before anything is cloned. */
export function isBranchName(name: string): boolean {
  if (name === '' || name === '@' || name.startsWith('-') || name.endsWith('.')) return false;
  if (/[\s~^:?*[\\]|\p{Cc}|\.\.|@\{/u.test(name)) return false;
  return name.split('/').every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'));
}
