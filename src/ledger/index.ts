export type { Answer, Asks, NewAsk } from './asks.ts';
export { fillLedger, type LedgerEntry, type LedgerSource } from './fill.ts';
export { openLedger, type Ledger, type LedgerOptions } from './ledger.ts';
export { openOrRenewLedger, type OpenedLedger } from './renew.ts';
export type { Ask, AskKind, Budget, ChannelName, Cooldown, Delivery, Holder, Moment, Place, Session, Spend, SpendScope } from './rows.ts';
export type { NewSession, Sessions, Started } from './sessions.ts';
export type { BudgetState, SpendBook, SpendPlace, Used } from './spend.ts';
export * from './notify/index.ts';
