/** Tells two builds of this program apart; `tools/build.mjs` knows it. */
declare const __DROVER_BUILD__: string | undefined;

export function buildId(): string {
  return typeof __DROVER_BUILD__ === 'string' ? __DROVER_BUILD__ : 'sources';
}
