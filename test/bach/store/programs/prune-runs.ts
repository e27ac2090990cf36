import { prune, RunStore } from '../../../../src/bach/store/index.ts';
import { placeAt } from '../recorded-runs.ts';

/** Prunes the project that is named, at the time of the tests; a test kills it at each of its durable points. */
const place = placeAt(process.argv[2] ?? '');
const store = await RunStore.open(place, new AbortController().signal);
await prune(place, store);
store.close();
