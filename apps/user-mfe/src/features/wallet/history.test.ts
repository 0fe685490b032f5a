import { isBackwards, isFiltered, readFilter, writeFilter, type HistoryFilter } from './history.ts';

const all: HistoryFilter = { show: 'all', from: '', to: '' };
const read = (search: string) => readFilter(new URLSearchParams(search));

describe('the filter of the history', () => {
  it('survives a round trip through the address', () => {
    for (const filter of [
      all,
      { show: 'credit', from: '2026-04-01', to: '' },
      { show: 'debit', from: '2026-04-01', to: '2026-04-30' },
    ] as const) {
      expect(read(writeFilter(filter).toString())).toEqual(filter);
    }
    expect(writeFilter(all).toString()).toBe('');
  });

  it('ignores invalid values in the address', () => {
    expect(read('show=gifts&from=yesterday&to=2026-4-1&x=1')).toEqual(all);
  });

  it('detects a period that ends before it begins, and whether a filter applies', () => {
    expect(isBackwards({ ...all, from: '2026-04-02', to: '2026-04-01' })).toBe(true);
    expect(isBackwards({ ...all, from: '2026-04-01', to: '2026-04-01' })).toBe(false);
    expect(isBackwards({ ...all, to: '2026-04-01' })).toBe(false);
    expect([
      isFiltered(all),
      isFiltered({ ...all, show: 'debit' }),
      isFiltered({ ...all, to: '2026-04-01' }),
    ]).toEqual([false, true, true]);
  });
});
