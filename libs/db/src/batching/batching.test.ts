import { jest } from '@jest/globals';
import { until } from '@karaar/testing/until';
import { batched } from './index.ts';

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const refused = () => Object.assign(new Error('no'), { code: 'ECONNREFUSED' });

describe('batched', () => {
  it('groups the calls that arrive while another group runs, and gives each call its own answer', async () => {
    const sizes: number[] = [];
    const { promise: finished, resolve: finish } = Promise.withResolvers<undefined>();
    const double = batched({
      run: async (items: readonly number[]) => {
        sizes.push(items.length);
        await finished;
        return items.map((item) => item * 2);
      },
      most: 6,
      groups: 1,
    });
    const first = double(1);
    await until('the first is under way', () => sizes.length === 1);
    const rest = Array.from({ length: 10 }, (_, at) => double(at));
    finish(undefined);
    expect(await first).toBe(2);
    expect(await Promise.all(rest)).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16, 18]);
    expect(sizes).toEqual([1, 6, 4]);
  });

  it('waits for calls that arrive shortly after the first, if it lingers', async () => {
    jest.useFakeTimers();
    try {
      const sizes: number[] = [];
      const act = batched({
        run: async (items: readonly number[]) => {
          sizes.push(items.length);
          return items;
        },
        lingerMs: 200,
      });
      const first = act(1);
      await jest.advanceTimersByTimeAsync(199);
      const second = act(2);
      await jest.advanceTimersByTimeAsync(1);
      expect(await Promise.all([first, second])).toEqual([1, 2]);
      expect(sizes).toEqual([2]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('never runs two items of one key at the same time, and keeps their order', async () => {
    const under = new Set<string>();
    const done: string[] = [];
    const act = batched({
      run: async (items: readonly string[]) => {
        const keys = items.map((item) => item.charAt(0));
        for (const key of keys) {
          expect(under.has(key)).toBe(false);
          under.add(key);
        }
        await later(Math.random() * 8);
        for (const key of keys) under.delete(key);
        done.push(...items);
        return items;
      },
      keyOf: (item) => item.charAt(0),
      groups: 3,
    });
    const items = ['a1', 'a2', 'b1', 'a3', 'c1', 'b2', 'a4'];
    expect(await Promise.all(items.map(act))).toEqual(items);
    for (const key of 'abc')
      expect(done.filter((item) => item.startsWith(key))).toEqual(
        items.filter((item) => item.startsWith(key)),
      );
  });

  it('rejects only the item that fails', async () => {
    const groups: (readonly number[])[] = [];
    const act = batched({
      run: async (items: readonly number[]) => {
        groups.push(items);
        if (items.includes(2)) throw new Error('two');
        return items;
      },
    });
    const results = await Promise.allSettled([1, 2, 3].map(act));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(groups).toEqual([[1, 2, 3], [1], [2], [3]]);
    // A failed item does not delay later ones.
    expect(await act(4)).toBe(4);
  });

  it('does not retry after a lost connection, since the batch may have been stored', async () => {
    let times = 0;
    const act = batched({
      run: async (): Promise<number[]> => {
        times += 1;
        throw refused();
      },
      keyOf: () => 'one',
    });
    const results = await Promise.allSettled([act(1), act(2)]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    // Two items of one key form two groups; neither ran twice.
    expect(times).toBe(2);
  });

  it.each(['55P03', '57014'])(
    'runs each item by itself after the server cancelled a batch with %s',
    async (code) => {
      const call = batched({
        run: async (items: readonly number[]) => {
          if (items.length > 1) throw Object.assign(new Error('canceling statement'), { code });
          return items;
        },
      });
      expect(await Promise.all([call(1), call(2), call(3)])).toEqual([1, 2, 3]);
    },
  );

  it('rejects an incomplete answer', async () => {
    const act = batched({ run: async (items: readonly number[]) => items.slice(1) });
    await expect(act(1)).rejects.toThrow('different number of answers');
  });
});
