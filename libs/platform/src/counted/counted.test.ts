import { counted } from './index.ts';

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('figures that take a while', () => {
  it('are counted once for all who ask at a time, by key, and again after a while', async () => {
    let times = 0;
    const read = counted(async (key: string) => {
      times += 1;
      await later(5);
      return `${key}${times}`;
    }, 60);
    const both = await Promise.all([read('a'), read('a')]);
    expect(both.map(({ value }) => value)).toEqual(['a1', 'a1']);
    expect((await read('b')).value).toBe('b2');
    expect((await read('a')).value).toBe('a1');
    await later(260);
    expect((await read('a')).value).toBe('a3');
  });

  it('are asked for again at once when counting them failed', async () => {
    let broken = true;
    const read = counted(async (_key: number) => {
      if (broken) throw new Error('the database is away');
      return 7;
    });
    await expect(read(1)).rejects.toThrow('away');
    broken = false;
    expect((await read(1)).value).toBe(7);
  });
});
