export { alone, type AloneOptions } from './alone.ts';
export { configuredNotices, type ConfiguredNotices, type ConfiguredOptions } from './configured.ts';
export { desktopChannel, type DesktopOptions } from './desktop.ts';
export { fileChannel, type FileOptions } from './file.ts';
export type { Channel, Notice } from './notice.ts';
export { createNotifier, type Notifier, type NotifierOptions } from './notifier.ts';
export type { QuietHours } from './quiet-hours.ts';
