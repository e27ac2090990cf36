declare const __DROVER_VERSION__: string | undefined;

/** `bach 1.2.3`; a build that nobody released says `dev`. */
export function versionText(program: string): string {
  const version = typeof __DROVER_VERSION__ === 'string' ? __DROVER_VERSION__ : 'dev';
  return `${program} ${version}`;
}
