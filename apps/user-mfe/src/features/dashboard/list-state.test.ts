import fc from 'fast-check';
import { readState, sortingOf, sortOf, writeState } from './list-state.ts';

describe('the list in the address', () => {
  it('shows all documents, newest first, for an empty or invalid address', () => {
    const all = { search: '', status: '', archived: false, sort: 'newest', cursor: '' };
    expect(readState(new URLSearchParams())).toEqual(all);
    expect(readState(new URLSearchParams('status=x&sort=y'))).toEqual(all);
  });

  it('returns to the first page with every other change, and keeps unknown parameters', () => {
    const address = new URLSearchParams('q=rent&after=abc&requests=');
    expect(writeState(address, { status: 'approved' }).toString()).toBe('q=rent&requests=&status=approved');
    expect(writeState(address, { cursor: 'def' }).toString()).toBe('q=rent&after=def&requests=');
    expect(writeState(address, { search: '' }).toString()).toBe('requests=');
  });

  it('reads what it has written', () => {
    const state = fc.record({
      search: fc.string({ maxLength: 100 }),
      status: fc.constantFrom('' as const, 'draft' as const, 'finalized' as const),
      sort: fc.constantFrom(
        'newest' as const,
        'oldest' as const,
        'changed' as const,
        'name' as const,
        '-name' as const,
      ),
      archived: fc.boolean(),
      cursor: fc.base64String(),
    });
    fc.assert(
      fc.property(state, (given) => {
        const written = writeState(new URLSearchParams(), given);
        expect(readState(new URLSearchParams(written.toString()))).toEqual(given);
      }),
    );
  });

  it('sorts by the pressed header, and reverses on the next press', () => {
    expect(sortingOf('-name')).toEqual({ key: 'name', descending: true });
    expect(sortingOf('newest')).toEqual({ key: 'created', descending: true });
    expect(sortOf({ key: 'name', descending: false }, 'newest')).toBe('name');
    expect(sortOf({ key: 'name', descending: true }, 'name')).toBe('-name');
    expect(sortOf({ key: 'created', descending: false }, 'newest')).toBe('oldest');
    expect(sortOf({ key: 'created', descending: true }, 'oldest')).toBe('newest');
    expect(sortOf({ key: 'created', descending: false }, 'name')).toBe('newest');
  });
});
