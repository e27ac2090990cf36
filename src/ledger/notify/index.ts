export { alone, type AloneOptions } from './alone.ts';
export { desktopChannel, type DesktopOptions } from './desktop.ts';
export { fileChannel, type FileOptions } from './file.ts';
export type { Channel, Notice } from './notice.ts';
export { noticeWays, type NoticePlace, type NoticeWays, type NoticeWishes } from './notice-ways.ts';
export { createNotifier, type Notifier, type NotifierOptions } from './notifier.ts';
export type { QuietHours } from './quiet-hours.ts';
