import fc from 'fast-check';
import { forgetReturn, isReturnable, rememberReturn, returnPath, signInReason } from './return-path.ts';

const store = new Map<string, string>();
beforeAll(() => {
  Object.assign(globalThis, {
    sessionStorage: {
      getItem: (key: string) => store.get(key) ?? null,
      setItem: (key: string, value: string) => void store.set(key, value),
      removeItem: (key: string) => void store.delete(key),
    },
  });
});
beforeEach(() => store.clear());

describe('isReturnable', () => {
  it('accepts only screens for that audience, with their query', () => {
    expect(isReturnable('/document/d1?tab=people#top', 'user')).toBe(true);
    expect(isReturnable('/admin/users', 'admin')).toBe(true);
    const refused = [
      '/admin/users',
      '/login',
      '/',
      '/nowhere',
      '//evil.example/dashboard',
      '/\\evil.example/x',
    ];
    for (const to of [
      ...refused,
      'https://evil.example/dashboard',
      'javascript:alert(1)',
      '/\t/evil.example',
      '',
    ])
      expect([to, isReturnable(to, 'user')]).toEqual([to, false]);
  });

  it('never leads to another origin', () => {
    const texts = fc.oneof(
      fc.string(),
      fc.webUrl(),
      fc
        .array(fc.constantFrom('/', '\\', '.', '@', ':', 'dashboard', 'evil.example', '\t', '%2f'))
        .map((p) => p.join('')),
    );
    fc.assert(
      fc.property(texts, (to) => {
        if (isReturnable(to, 'user'))
          expect(new URL(to, 'https://karaar.example').origin).toBe('https://karaar.example');
      }),
    );
  });
});

describe('returnPath', () => {
  it('returns the requested path to its former user or, if unknown, to the first who signs in', () => {
    rememberReturn('user', '/document/d1', null);
    expect(returnPath('user', 'u1')).toBe('/document/d1');
    rememberReturn('user', '/document/d2', 'u1');
    expect(returnPath('user', 'u1')).toBe('/document/d2');
    expect(returnPath('user', 'u2')).toBeNull();
    expect(returnPath('admin', null)).toBeNull();
    forgetReturn('user');
    expect(returnPath('user', 'u1')).toBeNull();
  });

  it('does not trust the storage', () => {
    for (const text of ['{', 'null', '[]', '{"to":"//evil.example","at":9e15}', '{"to":"/wallet","at":0}']) {
      store.set('return_to_user', text);
      expect(returnPath('user', 'u1')).toBeNull();
    }
  });
});

describe('the reason to sign in', () => {
  it('is an expired session, or a link to a document', () => {
    const id = '0199aaaa-0000-7000-8000-000000000000';
    const reasons = [
      ['/wallet', 'u1', 'ended'],
      [`/document/${id}`, 'u1', 'ended'],
      [`/document/${id}`, null, 'document'],
      ['/document/join?code=9H4TR2WK', null, 'document'],
      ['/document/create', null, null],
      ['/wallet', null, null],
    ] as const;
    for (const [to, owner, reason] of reasons) {
      rememberReturn('user', to, owner);
      expect([to, signInReason()]).toEqual([to, reason]);
    }
    forgetReturn('user');
    expect(signInReason()).toBeNull();
  });
});
