import { standInForStorage } from './storage.ts';

/** A window whose storage throws, as in Chrome with all site data blocked. */
function blocked() {
  const page = { document: { documentElement: { dataset: {} as Record<string, string> } } };
  for (const name of ['localStorage', 'sessionStorage'])
    Object.defineProperty(page, name, {
      configurable: true,
      get: () => {
        throw new DOMException('Access is denied for this document.', 'SecurityError');
      },
    });
  return page as typeof globalThis;
}

describe('refused storage', () => {
  it('is replaced until the page is closed, and the page marks it', () => {
    const page = blocked();
    standInForStorage(page);
    const { localStorage: stored } = page;
    expect(stored.getItem('token')).toBeNull();
    stored.setItem('token', 't1');
    stored.setItem('theme', 'dark');
    expect([stored.getItem('token'), stored.length, Object.keys(stored)]).toEqual([
      't1',
      2,
      ['token', 'theme'],
    ]);
    stored.removeItem('token');
    expect([stored.getItem('token'), stored.key(0)]).toEqual([null, 'theme']);
    expect(page.sessionStorage.getItem('theme')).toBeNull();
    stored.clear();
    expect([stored.length, stored.getItem('getItem')]).toEqual([0, null]);
    expect(page.document.documentElement.dataset['storage']).toBe('page');
  });

  it('is replaced with its entries if it is full', () => {
    const page = blocked();
    const full = {
      token: 't1',
      setItem: () => {
        throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
      },
    };
    Object.defineProperty(full, 'setItem', { enumerable: false });
    Object.defineProperty(page, 'localStorage', { configurable: true, value: full });
    standInForStorage(page);
    page.localStorage.setItem('theme', 'dark');
    expect({ ...page.localStorage }).toEqual({ token: 't1', theme: 'dark' });
    expect(page.document.documentElement.dataset['storage']).toBe('page');
  });

  it('is unchanged if it works', () => {
    const own = { getItem: () => 'dark', setItem: () => undefined, removeItem: () => undefined };
    const page = {
      ...blocked(),
      localStorage: own,
      sessionStorage: own,
      document: { documentElement: { dataset: {} } },
    };
    // The storages lack methods that are not called here.
    standInForStorage(page as unknown as typeof globalThis);
    expect(page.localStorage).toBe(own);
    expect(page.document.documentElement.dataset).toEqual({});
  });
});
