import { until } from '@karaar/testing/until';
import { batched } from './index.ts';

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const refused = () => Object.assign(new Error('no'), { code: 'ECONNREFUSED' });

describe('batched calls', () => {
  it('goes in groups while others are under way, and each gets its own answer', async () => {
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

  it('has no two of one key under way, and keeps their order', async () => {
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

  it('lets an item fail by its own fault only', async () => {
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
    // What failed holds nobody up.
    expect(await act(4)).toBe(4);
  });

  it('tries nothing again when the other side is away: what it did may be done', async () => {
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
    // Two of one key, so two groups; neither was run a second time.
    expect(times).toBe(2);
  });

  it.each(['55P03', '57014'])(
    'tries each by itself after the server gave a batch up with %s',
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

  it('refuses an answer in part', async () => {
    const act = batched({ run: async (items: readonly number[]) => items.slice(1) });
    await expect(act(1)).rejects.toThrow('in part');
  });
});
