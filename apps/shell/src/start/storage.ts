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

/** Written and removed again; as long as a session needs. */
const PROBE = ['probe', ' '.repeat(2_048)] as const;

/** Returns the entries that can be read; a full storage has some. */
function readable(page: object, name: string): object {
  try {
    return { ...(Reflect.get(page, name) as Storage) };
  } catch {
    return {};
  }
}

/**
 * Replaces storage that refuses to read or write (all site data blocked, a sandboxed frame, a full disk) by
 * one that lasts until the page is closed: enough for public pages and a session. `data-storage` on the page
 * marks it, so that the app warns the user.
 */
export function standInForStorage(page: Pick<typeof globalThis, 'document'> & object = window): void {
  for (const name of ['localStorage', 'sessionStorage']) {
    try {
      const storage = Reflect.get(page, name) as Storage;
      storage.setItem(...PROBE);
      storage.removeItem(PROBE[0]);
    } catch {
      const value: unknown = Object.assign(Object.create(methods), readable(page, name));
      Object.defineProperty(page, name, { configurable: true, value });
      page.document.documentElement.dataset['storage'] = 'page';
    }
  }
}
