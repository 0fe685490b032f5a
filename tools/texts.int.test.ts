import { LeftOut } from '@karaar/contracts/documents/http';
import { partKey } from '@karaar/contracts/left-out-words';
import { VerificationCheck } from '@karaar/contracts/documents/verify';
import { errorCodes } from './error-codes.ts';
import { doubleRenderings, glossaryFaults, idleExceptions } from './glossary.ts';
import { catalogFaults, catalogs, readMessage } from './texts.ts';
import { sourceFiles, textOf } from './testing/source-files.ts';
import { textUses } from './text-uses.ts';

const all = catalogs();
const code = sourceFiles(
  'apps/**/*.ts',
  'apps/**/*.tsx',
  'libs/ui/**/*.ts',
  'libs/ui/**/*.tsx',
  'libs/api-client/**/*.ts',
  'services/documents/src/features/receipt/*.ts',
  'services/notifications/src/features/mail/*.ts',
  'services/payments/src/features/receipts/*.ts',
  'services/wallet/src/features/ledger/*.ts',
  'libs/contracts/movement-words.ts',
  'libs/rendering/src/*.ts',
);
const uses = code.filter((path) => !/\.test\.tsx?$/.test(path)).flatMap(textUses);

describe('the language files', () => {
  it('are found for every screen', () => {
    expect(all.length).toBeGreaterThan(18);
    expect(uses.length).toBeGreaterThan(300);
  });

  it('contain every text in all six languages, translated and with the same arguments', () => {
    expect(all.flatMap(catalogFaults)).toEqual([]);
  });

  it('contain no unused text', () => {
    const text = code.map(textOf).join('\n');
    // The names of checks and of left-out parts are keys too.
    const found: string[] = VerificationCheck.properties.name.anyOf.flatMap(({ const: name }) => [
      name,
      `${name}Ok`,
      `${name}Bad`,
    ]);
    found.push(...LeftOut.anyOf.map(({ const: part }) => partKey(part)));
    const unused = all
      // Its keys are the codes of the services.
      .filter(({ folder }) => !folder.endsWith('api-client/src/errors'))
      .flatMap(({ folder, messages }) =>
        Object.keys(messages.en ?? {})
          .filter((key) => !found.includes(key))
          .filter((key) => !text.includes(`'${key}'`) && !new RegExp(`\\b${key}: '`).test(text))
          .map((key) => `${folder}: ${key}`),
      );
    expect(unused).toEqual([]);
  });

  it('get every argument that they need', () => {
    const english = new Map(all.map(({ folder, messages }) => [folder, messages.en ?? {}]));
    const wrong = uses.flatMap(({ at, folder, key, args }) => {
      const message = english.get(folder)?.[key];
      if (message === undefined) return [`${at}: ${key} is not in ${folder}/texts/en.json`];
      const missing = Object.keys(readMessage(message).args).filter(
        (arg) => args !== null && !args.includes(arg),
      );
      return missing.map((arg) => `${at}: ${key} needs ${arg}`);
    });
    expect(wrong).toEqual([]);
  });
});

/** The text messages, whose words are in code: one catalog for each text in six languages. */
const textMessages = [
  'services/auth/src/features/otp/texts.ts',
  'services/documents/src/features/invitations/invitations.texts.ts',
  'services/documents/src/features/text-messages/text-messages.texts.ts',
].flatMap((path) =>
  textOf(path)
    .split(/(?=\ben: \()/)
    .slice(1)
    .map((text, index) => {
      const said = [...text.matchAll(/\b([a-z]{2}): \([^)]*\) =>\s*([`'])(.*?)\2,/gs)];
      const messages = said.map(([, language = '', , words = '']) => [language, { [index]: words }] as const);
      return { folder: path, messages: Object.fromEntries(messages) };
    }),
);

describe('the glossary', () => {
  it('is followed: translations use its terms and no retired words', () => {
    expect(all.flatMap(glossaryFaults)).toEqual([]);
  });

  it('is followed by text messages, which name the brand as the screens do', () => {
    expect(textMessages.map(({ messages }) => Object.keys(messages).length)).toEqual(
      textMessages.map(() => 6),
    );
    expect(textMessages.length).toBeGreaterThan(15);
    expect(textMessages.flatMap(glossaryFaults)).toEqual([]);
    const words = textMessages.flatMap(({ messages }) =>
      Object.values(messages).flatMap((one) => Object.values(one)),
    );
    expect(words.filter((text) => !text.includes('Karaar'))).toEqual([]);
  });

  it('allows one translation of an English text per language, except for texts with two meanings', () => {
    expect(doubleRenderings(all)).toEqual([]);
    expect(idleExceptions(all)).toEqual([]);
  });

  const catalog = (key: string, en: string, te: string) => ({
    folder: 'x',
    messages: { en: { [key]: en }, te: { [key]: te } },
  });

  it('finds a wrong term, a retired word, and a second translation', () => {
    expect(glossaryFaults(catalog('a', 'Open the document', 'ఫైల్ తెరవండి'))[0]).toContain('x:a te lacks');
    expect(glossaryFaults(catalog('a', 'Verify', 'ధృవీకరించండి'))[0]).toContain('x:a te says "ధృవీ"');
    expect(glossaryFaults(catalog('a', 'Open the document', 'డాక్యుమెంట్ తెరవండి'))).toEqual([]);
    const twice = [catalog('a', 'Back', 'వెనక్కి'), { ...catalog('b', 'Back', 'వెనుకకు'), folder: 'y' }];
    expect(doubleRenderings(twice)[0]).toContain('te: "Back" is said as "వెనక్కి" (x:a) and "వెనుకకు" (y:b)');
  });
});

describe('the check', () => {
  const files = (hi: Record<string, string>) => ({
    folder: 'x',
    messages: {
      en: { n: '{n, plural, one {# day} other {# days}}', hello: 'Hello {name}' },
      hi,
      ta: { n: '{n, plural, one {# நாள்} other {# நாட்கள்}}', hello: 'வணக்கம் {name}' },
      bn: { n: '{n, plural, one {# দিন} other {# দিন}}', hello: 'নমস্কার {name}' },
      mr: { n: '{n, plural, one {# दिवस} other {# दिवस}}', hello: 'नमस्कार {name}' },
      te: { n: '{n, plural, one {# రోజు} other {# రోజులు}}', hello: 'నమస్తే {name}' },
    },
  });
  const good = { n: '{n, plural, one {# दिन} other {# दिन}}', hello: 'नमस्ते {name}' };

  it('accepts correct texts', () => {
    expect(catalogFaults(files(good))).toEqual([]);
  });

  it.each([
    ['a missing text', { hello: good.hello }, 'n is missing'],
    ['a text too many', { ...good, more: 'और' }, 'more is not in English'],
    ['an empty text', { ...good, hello: ' ' }, 'hello is empty'],
    ['another value', { ...good, hello: 'नमस्ते {nam}' }, 'hello has the arguments'],
    ['no value', { ...good, hello: 'नमस्ते' }, 'hello has the arguments'],
    ['a value that is not a number', { ...good, n: '{n} दिन' }, 'n has the arguments'],
    [
      'a plural that lacks a case',
      { ...good, n: '{n, plural, other {# दिन}}' },
      'n needs a text for each of: one, other',
    ],
    ['English left over', { ...good, hello: 'Hello {name}' }, 'hello is not translated: Hello'],
  ])('finds %s', (_what, hi, says) => {
    expect(catalogFaults(files(hi)).join('\n')).toContain(`x/texts/hi.json: ${says}`);
  });

  it('finds a language without a file', () => {
    const { hi: _hi, ...others } = files(good).messages;
    expect(catalogFaults({ folder: 'x', messages: others })).toEqual(['x/texts/hi.json is missing']);
  });

  it('refuses invalid ICU MessageFormat', () => {
    expect(() => readMessage('{n, plural, other {')).toThrow();
  });
});

describe('the events of a document', () => {
  it('have words in every language (features/detail/event-words.ts)', () => {
    const written = sourceFiles('services/documents/src/*.ts').flatMap((path) =>
      [...textOf(path).matchAll(/'((?:document|party|payment|finalization)\.\w+)'/g)].map(([, type]) => type),
    );
    expect(written.length).toBeGreaterThan(10);
    const missing = (path: string) =>
      [...new Set(written)].filter((type) => !textOf(path).includes(`'${type}':`)).sort();
    expect(missing('apps/user-mfe/src/features/detail/history/event-words.ts')).toEqual([]);
    expect(missing('libs/rendering/src/templates/event-words.ts')).toEqual([]);
  });
});

describe('the codes of the services', () => {
  const { codes, open } = errorCodes();
  const words = all.find(({ folder }) => folder === 'libs/api-client/src/errors')?.messages.en ?? {};

  it('are literals in the source', () => {
    expect(codes.length).toBeGreaterThan(100);
    expect(open.filter((at) => !at.startsWith('libs/base/src/errors/'))).toEqual([]);
  });

  it('have words in every language (libs/api-client/src/errors/texts)', () => {
    const wordless = [...codes, { code: 'validation', at: '' }, { code: 'too_many_requests', at: '' }]
      .filter(({ code }) => !(code in words))
      .map(({ code, at }) => `${code} (${at})`);
    expect(wordless).toEqual([]);
  });

  it('have the same English text in services and language files, if a code has only one', () => {
    /** Codes for programs; users read a more helpful text. */
    const TO_PROGRAMS = new Set([
      ...[
        'bad_idempotency_key',
        'idempotency_key_reused',
        'message_id_used',
        'malformed_form',
        'malformed_json',
      ],
      ...[
        'malformed_request',
        'unsupported_media',
        'no_such_tile',
        'outside_tree',
        'bus_unavailable',
        'web_unavailable',
      ],
    ]);
    const texts = Map.groupBy(codes, ({ code }) => code);
    const single = [...texts].flatMap(([code, uses]) => {
      const [told, ...others] = new Set(uses.map(({ detail }) => detail));
      return told === undefined || others.length > 0 ? [] : [{ code, told }];
    });
    expect(single.length).toBeGreaterThan(80);
    const differ = single.filter(({ code, told }) => !TO_PROGRAMS.has(code) && words[code] !== told);
    expect(differ.map(({ code, told }) => `${code}: ${words[code]} | ${told}`)).toEqual([]);
    const idle = [...TO_PROGRAMS].filter((code) =>
      single.every((one) => one.code !== code || words[code] === one.told),
    );
    expect(idle).toEqual([]);
  });

  it('have no words for removed codes', () => {
    // file_gone is a code of the browser only.
    const own = ['validation', 'too_many_requests', 'file_gone'];
    const known = new Set([...codes.map(({ code }) => code), ...own]);
    expect(Object.keys(words).filter((key) => !key.startsWith('field_') && !known.has(key))).toEqual([]);
  });
});
