export { ALL_DROVER_KEYS, DROVER_KEYS } from './keys.ts';
export { noticeWishes } from './notice-wishes.ts';
export { loadSettings, type Settings } from './load-settings.ts';
