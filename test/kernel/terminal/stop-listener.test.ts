import { describe, expect, test } from 'vitest';
import { listenForStop, neverStops } from '../../../src/kernel/terminal/index.ts';
import { FakeSignals } from '../../support/cli.ts';

function state({ stop }: ReturnType<typeof listenForStop>) {
  return [stop.graceful.aborted, stop.immediate.aborted, stop.signal()];
}

describe('stop signals', () => {
  test('the first asks, the second insists, the third has its default effect', () => {
    const signals = new FakeSignals();
    const listener = listenForStop(signals);
    expect(state(listener)).toEqual([false, false, undefined]);
    signals.send('SIGINT');
    expect(state(listener)).toEqual([true, false, 'SIGINT']);
    signals.send('SIGTERM');
    expect(state(listener)).toEqual([true, true, 'SIGINT']);
    expect(signals.ended).toBeUndefined();
    signals.send('SIGHUP');
    expect(signals.ended).toBe('SIGHUP');
    expect(signals.count('SIGINT')).toBe(0);
  });

  test('SIGQUIT asks and insists at once, and what follows it has its default effect', () => {
    const signals = new FakeSignals();
    const listener = listenForStop(signals);
    signals.send('SIGQUIT');
    expect(state(listener)).toEqual([true, true, 'SIGQUIT']);
    expect(signals.ended).toBeUndefined();
    signals.send('SIGQUIT');
    expect(signals.ended).toBe('SIGQUIT');
  });

  test('SIGQUIT after another insists like any second signal', () => {
    const signals = new FakeSignals();
    const listener = listenForStop(signals);
    signals.send('SIGTERM');
    signals.send('SIGQUIT');
    expect(state(listener)).toEqual([true, true, 'SIGTERM']);
    expect(signals.ended).toBeUndefined();
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const)('%s is listened to until closed', (name) => {
    const signals = new FakeSignals();
    const listener = listenForStop(signals);
    expect(signals.count(name)).toBe(1);
    listener.close();
    expect(signals.count(name)).toBe(0);
  });

  test('short work is never asked', () => {
    const stop = neverStops();
    expect([stop.graceful.aborted, stop.immediate.aborted, stop.signal()]).toEqual([false, false, undefined]);
  });
});
