import { enteredStore } from './entered.ts';

class Storage {
  [key: string]: unknown;
  getItem(key: string) {
    const value = this[key];
    return typeof value === 'string' ? value : null;
  }
  setItem(key: string, value: string) {
    this[key] = value;
  }
  removeItem(key: string) {
    Reflect.deleteProperty(this, key);
  }
}

beforeEach(() => {
  Object.assign(globalThis, { sessionStorage: new Storage() });
});

describe('unsent input', () => {
  it('stays for the same user after an expired session', () => {
    expect(enteredStore.openFor('asha')).toBe(true);
    enteredStore.write('form', { name: 'Rent' });
    expect(enteredStore.openFor('asha')).toBe(true);
    expect(enteredStore.read('form')).toEqual({ name: 'Rent' });
  });

  it('is deleted before another user sees a screen', () => {
    enteredStore.openFor('asha');
    enteredStore.write('form', { name: 'Rent' });
    expect(enteredStore.openFor('kiran')).toBe(false);
    expect(enteredStore.read('form')).toBeUndefined();
    enteredStore.write('form', { name: 'Loan' });
    expect(enteredStore.openFor('kiran')).toBe(true);
  });

  it('of an unknown user is deleted', () => {
    enteredStore.write('form', { name: 'Rent' });
    expect(enteredStore.openFor('asha')).toBe(false);
    expect(enteredStore.read('form')).toBeUndefined();
  });
});
