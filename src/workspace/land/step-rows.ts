import { registerSteps, type StepRows } from '../../engine/index.ts';
import { landHandlers, type LandSteps } from './steps.ts';

const rows: StepRows<LandSteps> = {
  prepare: [
    { write: 'trees and commits', leaves: 'objects that nothing refers to', repairedBy: 'the step is made again and gives the same objects' },
  ],
  move: [
    {
      write: '`index.lock` of each checkout of the destination, with the move in it',
      leaves: 'a checkout in which nobody can commit',
      repairedBy: '`reconcile` finds it; the move is made again and puts the checkout in order first',
    },
    { write: 'files of these checkouts', leaves: 'files of the commit to come, some half written', repairedBy: 'as above: they go the way the branch went' },
    { write: 'announcement in the receipts of the repository', leaves: 'an announced move', repairedBy: 'as above' },
    { write: 'the branch, from the value named in the intent', leaves: 'a moved branch whose checkouts have the old index', repairedBy: 'as above' },
    { write: 'receipt of the repository', leaves: 'the same', repairedBy: 'as above' },
    { write: 'index of these checkouts, and removal of their locks', leaves: 'a moved branch without a receipt in the step log', repairedBy: '`reconcile` finds the commit in the branch' },
  ],
};

export const registeredSteps = registerSteps('land', { handlers: landHandlers, rows });
