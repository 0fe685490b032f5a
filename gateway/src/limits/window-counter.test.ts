import { WindowCounter, type SharedCounts } from './window-counter.ts';

function store(): SharedCounts & { totals: Map<string, number> } {
  const totals = new Map<string, number>();
  return {
    totals,
    add: async (counts) =>
      counts.map(({ key, by }) => {
        totals.set(key, (totals.get(key) ?? 0) + by);
        return totals.get(key) ?? 0;
      }),
  };
}

describe('WindowCounter', () => {
  let clock = 0;
  const counter = (limit: number) =>
    new WindowCounter({ name: 'test', limit, windowMs: 1_000, now: () => clock });
  beforeEach(() => {
    clock = 10_000;
  });

  it('lets exactly the limit pass per window and returns how long to wait', () => {
    const one = counter(3);
    expect([one.take('a'), one.take('a'), one.take('a')]).toEqual([0, 0, 0]);
    clock = 10_400;
    expect(one.take('a')).toBe(600);
    expect(one.take('b')).toBe(0);
    clock = 11_000;
    expect(one.take('a')).toBe(0);
  });

  it('adds up with others through the shared store', async () => {
    const shared = store();
    const [one, two] = [counter(4), counter(4)];
    for (let i = 0; i < 3; i += 1) one.take('a');
    await one.sync(shared);
    expect(two.take('a')).toBe(0);
    await two.sync(shared);
    expect(two.take('a')).toBeGreaterThan(0);
    one.take('b');
    await one.sync(shared);
    expect([...shared.totals.values()]).toEqual([4, 1]);
  });

  it('loses no count that is added during a sync', async () => {
    const one = counter(3);
    let release: () => void = () => undefined;
    const slow: SharedCounts = {
      add: async (counts) => {
        await new Promise<void>((resolve) => (release = resolve));
        return counts.map(({ by }) => by);
      },
    };
    one.take('a');
    const syncing = one.sync(slow);
    one.take('a');
    one.take('a');
    release();
    await syncing;
    expect(one.take('a')).toBeGreaterThan(0);
  });

  it('keeps its own counts when the store fails', async () => {
    const one = counter(2);
    one.take('a');
    await expect(one.sync({ add: () => Promise.reject(new Error('away')) })).rejects.toThrow('away');
    one.take('a');
    expect(one.take('a')).toBeGreaterThan(0);
    const shared = store();
    await one.sync(shared);
    expect([...shared.totals.values()]).toEqual([2]);
  });

  it('stays bounded under a flood of addresses: the surplus shares one count', () => {
    const one = counter(5);
    for (let i = 0; i < 50_000; i += 1) one.take(`flood ${i}`);
    const late = Array.from({ length: 10 }, (_, i) => one.take(`late ${i}`));
    expect(late.filter((wait) => wait === 0)).toHaveLength(5);
    expect(one.take('flood 1')).toBe(0);
  });
});
