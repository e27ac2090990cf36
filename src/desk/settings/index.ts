export { loadSettings, type Settings } from './load-settings.ts';
