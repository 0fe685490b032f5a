import { startWorker } from './index.ts';
import { restAfter } from './worker.ts';

/** A promise and how to end it. */
const gate = (): PromiseWithResolvers<void> => Promise.withResolvers();
const HOUR = 3_600_000;
const quiet = (): void => undefined;

describe('a worker', () => {
  it('waits in stop() for the turn under way, tells it, and begins no other', async () => {
    const [began, mayEnd] = [gate(), gate()];
    let turns = 0;
    let told = false;
    const worker = startWorker({
      restMs: 0,
      onError: quiet,
      turn: async (signal) => {
        turns += 1;
        began.resolve();
        await mayEnd.promise;
        told = signal.aborted;
        return true;
      },
    });
    await began.promise;
    let stopped = false;
    const stopping = worker.stop().then(() => (stopped = true));
    // Whatever could have ended by itself has done so after a round of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    expect(stopped).toBe(false);
    mayEnd.resolve();
    await stopping;
    expect({ turns, told }).toEqual({ turns: 1, told: true });
  });

  it('ends its rest at once when it is stopped', async () => {
    const rested = gate();
    const worker = startWorker({ restMs: HOUR, onError: quiet, turn: async () => rested.resolve() });
    await rested.promise;
    await worker.stop();
    await worker.stop();
  });

  it('goes on after a turn that failed, and tells of it', async () => {
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

  it('looks again at once when a turn says there is more, and when it was woken meanwhile or in its rest', async () => {
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

  it('begins with a rest where it is told to', async () => {
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

describe('the rest of a worker', () => {
  const rests = (longestMs: number) =>
    [0, 1, 2, 3, 4, 5, 2_000].map((failures) => restAfter(failures, 1_000, longestMs));

  it('doubles with failures in a row, up to its bound', () => {
    expect(rests(10_000)).toEqual([1_000, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
  });

  it('stays as it is without a longer bound', () => {
    expect(new Set([...rests(1_000), ...rests(0)])).toEqual(new Set([1_000]));
  });
});
