import { registerSteps, type StepRows } from '../registry.ts';
import { toyHandlers } from './handlers.ts';
import type { ToySteps } from './model.ts';

const rows: StepRows<ToySteps> = {
  claim: [{ write: '`claims/<unit>`', leaves: 'a claim without a receipt', repairedBy: '`reconcile` finds the file' }],
  run: [
    {
      write: '`run/sessions/<unit>.json`',
      leaves: 'a program without a holder',
      repairedBy: 'the next holder ends it before it reconciles; the program runs again, at no charge',
    },
    {
      write: 'removal of that file',
      leaves: 'a program that ended, without a result',
      repairedBy: '`reconcile` finds no result; the program runs again, at no charge',
    },
    { write: '`results/<unit>`', leaves: 'a result without a receipt', repairedBy: '`reconcile` finds the result of this attempt' },
  ],
  commit: [
    { write: 'blob', leaves: 'an object that nothing refers to', repairedBy: 'the step is made again and gives the same object' },
    { write: 'tree', leaves: 'objects that nothing refers to', repairedBy: 'as above' },
    { write: 'commit', leaves: 'a commit that nothing refers to', repairedBy: 'as above' },
  ],
  move: [
    {
      write: 'announcement in the receipts of the repository',
      leaves: 'an announced move',
      repairedBy: '`reconcile` looks at the branch',
    },
    {
      write: 'the branch, from the value named in the intent',
      leaves: 'a moved branch without a receipt',
      repairedBy: '`reconcile` finds the commit in the branch',
    },
    { write: 'receipt of the repository', leaves: 'a moved branch without a receipt in the step log', repairedBy: 'as above' },
  ],
  finish: [{ write: '`marks/<unit>`', leaves: 'a mark without a receipt', repairedBy: '`reconcile` finds the file' }],
};

export const registeredSteps = registerSteps('toy', { handlers: toyHandlers, rows });
