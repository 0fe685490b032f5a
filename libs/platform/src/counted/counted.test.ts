import { until } from '@karaar/testing/until';
import { counted } from './index.ts';

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('figures that take a while', () => {
  it('are counted once for all who ask at a time, by key, and anew once they are not fresh', async () => {
    let times = 0;
    const read = counted(async (key: string) => {
      times += 1;
      await later(5);
      return `${key}${times}`;
    }, 400);
    const both = await Promise.all([read('a'), read('a')]);
    expect(both.map(({ value }) => value)).toEqual(['a1', 'a1']);
    expect((await read('b')).value).toBe('b2');
    expect((await read('a')).value).toBe('a1');
    await later(500);
    // Just not fresh: answered at once, and counted in the meantime.
    expect((await read('a')).value).toBe('a1');
    await until('counted anew', async () => (await read('a')).value === 'a3');
  });

  it('are waited for when they are old', async () => {
    let times = 0;
    const read = counted(async (_key: number) => (times += 1), 20);
    expect((await read(1)).value).toBe(1);
    await later(120);
    expect((await read(1)).value).toBe(2);
  });

  it('are asked for again at once when counting them failed, and stay while a recount fails', async () => {
    let broken = true;
    const read = counted(async (_key: number) => {
      if (broken) throw new Error('the database is away');
      return 7;
    }, 200);
    await expect(read(1)).rejects.toThrow('away');
    broken = false;
    expect((await read(1)).value).toBe(7);
    broken = true;
    await later(250);
    expect((await read(1)).value).toBe(7);
  });
});
