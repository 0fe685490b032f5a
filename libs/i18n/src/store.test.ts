import { jest } from '@jest/globals';
import { activeLanguage, onLanguage, speak } from './store.ts';
import { defineTexts } from './texts.ts';

type Catalog = Record<'greet' | 'count', string>;

const en: Catalog = { greet: 'Hello {name}', count: '{n, plural, one {# day} other {# days}}' };
const hi: Catalog = { greet: '{name}, नमस्ते', count: '{n, plural, one {# दिन} other {# दिन}}' };

/** A catalog with these files; others fail to load. */
function catalog(name: string, files: Partial<Record<string, Catalog>>) {
  const load = jest.fn(async (language: string) => {
    const messages = files[language];
    if (!messages) throw new Error(`no ${language}`);
    return { default: messages };
  });
  return { texts: defineTexts<Catalog>(name, load), load, files };
}

/** The errors that the page would log. */
const reported: unknown[] = [];
beforeAll(() => {
  globalThis.reportError = (error) => reported.push(error);
});
beforeEach(async () => {
  reported.length = 0;
  await speak('en');
});

describe('texts', () => {
  it('format a message with its values, and plurals by the rules of the language', async () => {
    const { texts } = catalog('a', { en, hi });
    await texts.load();
    expect(texts.say('greet', { name: 'Asha' })).toBe('Hello Asha');
    expect([0, 1, 2, 1_00_000].map((n) => texts.say('count', { n }))).toEqual([
      '0 days',
      '1 day',
      '2 days',
      '1,00,000 days',
    ]);
    expect(texts.say({ key: 'greet', values: { name: 'Vikram' } })).toBe('Hello Vikram');
  });

  it('never show a bare key: a catalog that is not loaded is an error', () => {
    const { texts } = catalog('b', { en });
    expect(() => texts.say('greet')).toThrow('"b" are not loaded');
    expect(texts.isReadable()).toBe(false);
  });

  it('do not treat a value as markup of the message', async () => {
    const { texts } = catalog('c', { en });
    await texts.load();
    expect(texts.say('greet', { name: '{n, plural, other {x}} #' })).toBe('Hello {n, plural, other {x}} #');
  });
});

describe('a change of the language', () => {
  it('loads the catalogs in use, then notifies the listeners; others are not loaded', async () => {
    const used = catalog('d', { en, hi });
    const unused = catalog('e', { en, hi });
    await used.texts.load();
    const seen: string[] = [];
    const off = onLanguage(() => seen.push(used.texts.say('greet', { name: 'आशा' })));
    await speak('hi');
    off();
    expect(seen).toEqual(['आशा, नमस्ते']);
    expect(activeLanguage()).toBe('hi');
    expect(unused.load).not.toHaveBeenCalled();
  });

  it('loads a catalog that comes into use during the change', async () => {
    const used = catalog('k', { en, hi });
    const late = catalog('l', { en, hi });
    await used.texts.load();
    const changing = speak('hi');
    await late.texts.load();
    await changing;
    expect(late.texts.say('greet', { name: 'आशा' })).toBe('आशा, नमस्ते');
  });

  it('loads nothing twice', async () => {
    const { texts, load } = catalog('f', { en, hi });
    await Promise.all([texts.load(), texts.load()]);
    await speak('hi');
    await speak('en');
    await speak('hi');
    expect(load.mock.calls).toEqual([['en'], ['hi']]);
  });

  it('shows English, with English plurals, if a file cannot be loaded, and retries the next time', async () => {
    const { texts, files } = catalog('g', { en });
    await texts.load();
    await speak('hi');
    expect(texts.say('count', { n: 0 })).toBe('0 days');
    expect(reported).toContainEqual(new Error('no hi'));
    files['hi'] = hi;
    await speak('hi');
    expect(texts.say('count', { n: 0 })).toBe('0 दिन');
  });

  it('fails, and can be retried, if English cannot be loaded either', async () => {
    const { texts, files } = catalog('h', {});
    await expect(texts.load()).rejects.toThrow('no en');
    files['en'] = en;
    await texts.load();
    expect(texts.say('greet', { name: 'x' })).toBe('Hello x');
  });
});
