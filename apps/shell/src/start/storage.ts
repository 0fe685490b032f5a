/** The part of Storage that the app uses; entries are own properties, as in the browser. */
const methods = {
  getItem(this: Record<string, string>, key: string): string | null {
    return Object.hasOwn(this, key) ? (this[key] ?? null) : null;
  },
  setItem(this: Record<string, string>, key: string, value: string): void {
    this[key] = String(value);
  },
  removeItem(this: Record<string, string>, key: string): void {
    Reflect.deleteProperty(this, key);
  },
  clear(this: Record<string, string>): void {
    for (const key of Object.keys(this)) Reflect.deleteProperty(this, key);
  },
  key(this: Record<string, string>, at: number): string | null {
    return Object.keys(this)[at] ?? null;
  },
  get length(): number {
    return Object.keys(this).length;
  },
};

/**
 * Replaces refused storage (all site data blocked, a sandboxed frame) by one that lasts until the page is
 * closed: enough for public pages and a session. `data-storage` on the page marks it, so that the app warns
 * the user.
 */
export function standInForStorage(page: Pick<typeof globalThis, 'document'> & object = window): void {
  for (const name of ['localStorage', 'sessionStorage']) {
    try {
      (Reflect.get(page, name) as Storage).getItem('theme');
    } catch {
      const value: unknown = Object.create(methods);
      Object.defineProperty(page, name, { configurable: true, value });
      page.document.documentElement.dataset['storage'] = 'page';
    }
  }
}
