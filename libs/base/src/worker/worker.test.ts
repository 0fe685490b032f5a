import { startWorker } from './index.ts';
import { restAfter } from './worker.ts';

const gate = (): PromiseWithResolvers<void> => Promise.withResolvers();
const HOUR = 3_600_000;
const quiet = (): void => undefined;

describe('a worker', () => {
  it('waits in stop() for the running turn, aborts its signal, and starts no other', async () => {
    const [began, mayEnd] = [gate(), gate()];
    let turns = 0;
    let isAborted = false;
    const worker = startWorker({
      restMs: 0,
      onError: quiet,
      turn: async (signal) => {
        turns += 1;
        began.resolve();
        await mayEnd.promise;
        isAborted = signal.aborted;
        return true;
      },
    });
    await began.promise;
    let stopped = false;
    const stopping = worker.stop().then(() => (stopped = true));
    // After a round of the event loop everything that could settle has settled.
    await new Promise((resolve) => setImmediate(resolve));
    expect(stopped).toBe(false);
    mayEnd.resolve();
    await stopping;
    expect({ turns, isAborted }).toEqual({ turns: 1, isAborted: true });
  });

  it('ends its rest at once when it is stopped', async () => {
    const rested = gate();
    const worker = startWorker({ restMs: HOUR, onError: quiet, turn: async () => rested.resolve() });
    await rested.promise;
    await worker.stop();
    await worker.stop();
  });

  it('continues after a failed turn, and reports the error', async () => {
    const errors: unknown[] = [];
    const third = gate();
    let turns = 0;
    const worker = startWorker({
      restMs: 0,
      onError: (error) => errors.push(error),
      turn: async () => {
        turns += 1;
        if (turns < 3) throw new Error(`turn ${turns}`);
        third.resolve();
      },
    });
    await third.promise;
    await worker.stop();
    expect(errors).toEqual([new Error('turn 1'), new Error('turn 2')]);
  });

  it('runs again at once if a turn reports more work, or if it was woken during the turn or the rest', async () => {
    const seen: string[] = [];
    const reached = new Map(['more', 'woken meanwhile', 'woken'].map((name) => [name, gate()]));
    const worker = startWorker({
      restMs: HOUR,
      onError: quiet,
      turn: async () => {
        const name = ['first', 'more', 'woken meanwhile', 'woken'][seen.length] ?? 'unasked';
        seen.push(name);
        reached.get(name)?.resolve();
        if (name === 'more') worker.wake();
        return name === 'first';
      },
    });
    await reached.get('woken meanwhile')?.promise;
    // The turn has ended and the worker rests.
    await new Promise((resolve) => setImmediate(resolve));
    worker.wake();
    await reached.get('woken')?.promise;
    await worker.stop();
    expect(seen).toEqual(['first', 'more', 'woken meanwhile', 'woken']);
  });

  it('begins with a rest if configured', async () => {
    let turns = 0;
    const worker = startWorker({
      restMs: HOUR,
      restsFirst: true,
      onError: quiet,
      turn: async () => void (turns += 1),
    });
    await worker.stop();
    expect(turns).toBe(0);
  });
});

describe('restAfter', () => {
  const rests = (longestMs: number) =>
    [0, 1, 2, 3, 4, 5, 2_000].map((failures) => restAfter(failures, 1_000, longestMs));

  it('doubles with consecutive failures, up to its limit', () => {
    expect(rests(10_000)).toEqual([1_000, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
  });

  it('stays constant without a larger limit', () => {
    expect(new Set([...rests(1_000), ...rests(0)])).toEqual(new Set([1_000]));
  });
});
