/** As much of Storage as the app uses; what is stored are own properties, as in the browser's. */
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
 * Where the browser refuses storage (all site data blocked, a sandboxed frame), puts one in its place that lasts as long as
 * the page: public pages and a session need no more. `data-storage` on the page tells the app, which tells the user.
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
