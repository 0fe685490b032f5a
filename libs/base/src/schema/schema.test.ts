import fc from 'fast-check';
import { Type, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Value } from 'typebox/value';
import { checker, fromText, fromTextObject, oneLine, plainText } from './index.ts';

const faultsOf = (schema: TSchema, value: unknown) => {
  const checked = checker(schema)(value);
  return checked.ok ? [] : checked.faults;
};

describe('checker', () => {
  it('lists every fault with its location', () => {
    const schema = Type.Object({
      name: Type.String({ minLength: 1 }),
      pages: Type.Array(Type.Object({ page_no: Type.Integer({ minimum: 1 }), text: Type.String() })),
      kind: Type.Union([Type.Literal('accept'), Type.Literal('reject')]),
      email: Type.String({ format: 'email' }),
    });
    expect(faultsOf(schema, { name: '', pages: [{ page_no: 0 }], kind: 'maybe', email: 'nobody' })).toEqual(
      expect.arrayContaining([
        { loc: 'name', msg: 'must not be empty' },
        { loc: 'pages.0.page_no', msg: 'must be at least 1' },
        { loc: 'pages.0.text', msg: 'is required' },
        { loc: 'kind', msg: 'must be one of accept, reject' },
        { loc: 'email', msg: 'must be a valid e-mail address' },
      ]),
    );
    expect(faultsOf(schema, {})).toEqual(
      ['name', 'pages', 'kind', 'email'].map((loc) => ({ loc, msg: 'is required' })),
    );
  });

  it('finds more faults than the library lists by default', () => {
    const names = Array.from({ length: 20 }, (_, i) => `f${i}`);
    const schema = Type.Object(Object.fromEntries(names.map((name) => [name, Type.Number()])));
    const faults = faultsOf(schema, Object.fromEntries(names.map((name) => [name, 'x'])));
    expect(faults.map((fault) => fault.loc)).toEqual(names);
  });

  it('shows the text that the schema fixes', () => {
    const schema = Type.Object({
      phone: Type.String({ pattern: '^\\d{10}$', errorMessage: 'Enter a valid 10-digit phone number' }),
    });
    expect(faultsOf(schema, { phone: '12' })).toEqual([
      { loc: 'phone', msg: 'Enter a valid 10-digit phone number' },
    ]);
  });

  it('never quotes the value', () => {
    const schema = Type.Object({ otp: Type.String({ pattern: '^\\d{6}$' }) });
    expect(JSON.stringify(faultsOf(schema, { otp: 'geheim-4711' }))).not.toContain('4711');
  });

  it('describes a nullable field by its permitted types', () => {
    const schema = Type.Object({ n: Type.Union([Type.Number(), Type.Null()]) });
    expect(faultsOf(schema, { n: 'x' })).toEqual([{ loc: 'n', msg: 'must be a number or null' }]);
  });

  it('reports the fault inside a nullable object and not the object', () => {
    const schema = Type.Object({ o: Type.Union([Type.Object({ a: Type.Number() }), Type.Null()]) });
    expect(faultsOf(schema, { o: { a: 'x' } })).toEqual([{ loc: 'o.a', msg: 'must be a number' }]);
  });

  it('removes undeclared properties at every depth, and fills defaults', () => {
    const schema = Type.Object({ a: Type.Object({ b: Type.String() }), n: Type.Integer({ default: 7 }) });
    expect(checker(schema)({ a: { b: 'x', is_admin: true }, is_admin: true })).toEqual({
      ok: true,
      value: { a: { b: 'x' }, n: 7 },
    });
  });

  it('returns the same result for a clean value as for a value that needs defaults and cleaning', () => {
    const inner = Type.Object({
      a: Type.Optional(Type.String()),
      n: Type.Union([Type.Integer(), Type.Null()]),
    });
    const schema = Type.Object({
      inner,
      list: Type.Array(Type.Union([inner, Type.Boolean()])),
      by: Type.Record(Type.String(), inner),
      both: Type.Intersect([Type.Object({ x: Type.Number() }), Type.Object({ y: Type.Number() })]),
      free: Type.Optional(Type.Unknown()),
    });
    const compiled = Compile(schema);
    const slowly = (value: unknown) =>
      compiled.Check(value) ? { ok: true, value: Value.Clean(schema, value) } : { ok: false };
    const some = fc.record(
      { a: fc.string(), n: fc.option(fc.integer()), z: fc.anything({ maxDepth: 1 }) },
      { requiredKeys: ['n'], noNullPrototype: true },
    );
    const whole = fc.record(
      {
        inner: some,
        list: fc.array(fc.oneof(some, fc.boolean()), { maxLength: 3 }),
        by: fc.dictionary(fc.string(), some, { maxKeys: 3, noNullPrototype: true }),
        both: fc.record({ x: fc.integer(), y: fc.integer(), z: fc.integer() }, { requiredKeys: ['x'] }),
        free: fc.jsonValue({ maxDepth: 2 }),
        extra: fc.jsonValue({ maxDepth: 1 }),
      },
      { requiredKeys: ['inner', 'list', 'by', 'both'], noNullPrototype: true },
    );
    const outcomes = new Set<boolean>();
    fc.assert(
      fc.property(whole, (value) => {
        // As parsed from the wire.
        const text = JSON.stringify(value);
        const { ok, ...rest } = checker(schema)(JSON.parse(text));
        const expected = slowly(JSON.parse(text));
        outcomes.add(ok);
        expect({ ok, value: 'value' in rest ? rest.value : undefined }).toEqual({
          value: undefined,
          ...expected,
        });
      }),
      { numRuns: 300 },
    );
    expect(outcomes).toEqual(new Set([true, false]));
  });

  it('removes a property named __proto__', () => {
    const schema = Type.Object({ a: Type.String() });
    const checked = checker(schema)(JSON.parse('{"a":"x","__proto__":{"is_admin":true}}'));
    expect(checked).toEqual({ ok: true, value: { a: 'x' } });
    expect(Object.getOwnPropertyNames('value' in checked && checked.value)).toEqual(['a']);
  });

  it('rejects unknown fields if the schema says so', () => {
    const schema = Type.Object({ a: Type.String() }, { additionalProperties: false });
    expect(faultsOf(schema, { a: 'x', b: 1 })).toEqual([{ loc: 'b', msg: 'is not a known field' }]);
  });

  it('rejects texts that no database can store', () => {
    const schema = Type.Object({ a: Type.String(), free: Type.Unknown() });
    expect(faultsOf(schema, { a: 'x\u0000', free: null })).toEqual([
      { loc: 'a', msg: 'contains characters that cannot be stored' },
    ]);
    expect(faultsOf(schema, { a: '\ud800', free: null })).toHaveLength(1);
    expect(faultsOf(schema, { a: 'x', free: { list: ['ok', '\u0000'] } })).toEqual([
      { loc: 'free.list.1', msg: 'contains characters that cannot be stored' },
    ]);
    expect(faultsOf(schema, { a: 'करार 🙂', free: null })).toEqual([]);
  });

  it('rejects free-form values that are nested too deeply', () => {
    const deep: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
    const [fault] = faultsOf(Type.Object({ free: Type.Unknown() }), { free: deep });
    expect(fault?.msg).toBe('is nested too deeply');
  });

  it.each([undefined, null, 'text', 3, []])('states the required type of a body when it is %p', (body) => {
    expect(faultsOf(Type.Object({ a: Type.Optional(Type.String()) }), body)).toEqual([
      { loc: 'body', msg: 'must be an object' },
    ]);
  });
});

describe('fromText', () => {
  it('parses every number that was written as a decimal', () => {
    fc.assert(
      fc.property(fc.integer(), (n) => {
        expect(fromText(Type.Integer(), String(n))).toBe(n);
      }),
    );
  });

  it.each(['', ' ', 'true', '0x10', '1e3', 'NaN', 'Infinity', '1,5', '١'])(
    'does not accept %p as a number',
    (text) => {
      expect(fromText(Type.Number(), text)).toBe(text);
    },
  );

  it.each([
    ['true', true],
    ['FALSE', false],
    ['1', true],
    ['0', false],
    ['yes', 'yes'],
    ['', ''],
  ])('parses the boolean %p as %p', (text, value) => {
    expect(fromText(Type.Boolean(), text)).toBe(value);
  });

  it('keeps the value of a text field unchanged', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(fromText(Type.String(), text)).toBe(text);
      }),
    );
  });

  it('uses the first matching option of a union', () => {
    const schema = Type.Union([Type.Number(), Type.Null(), Type.Literal('all')]);
    expect(fromText(schema, '12')).toBe(12);
    expect(fromText(schema, '')).toBeNull();
    expect(fromText(schema, 'all')).toBe('all');
    expect(fromText(schema, 'none')).toBe('none');
  });
});

describe('fromTextObject', () => {
  const schema = Type.Object({
    name: Type.String(),
    note: Type.Optional(Type.String()),
    count: Type.Optional(Type.Integer()),
    tags: Type.Optional(Type.Array(Type.Integer())),
  });

  it('converts values, and makes a list of a declared list with one value', () => {
    expect(fromTextObject(schema, { name: 'x', count: '3', tags: '4' })).toEqual({
      name: 'x',
      count: 3,
      tags: [4],
    });
    expect(fromTextObject(schema, { name: 'x', tags: ['4', '5'] })).toEqual({ name: 'x', tags: [4, 5] });
  });

  it('treats a blank optional field as absent unless it may be blank', () => {
    expect(fromTextObject(schema, { name: '', note: '', count: '' })).toEqual({ name: '', note: '' });
  });

  it('keeps a repeated single field as a list, so that the check rejects it', () => {
    expect(checker(schema)(fromTextObject(schema, { name: ['a', 'b'] }))).toEqual({
      ok: false,
      faults: [{ loc: 'name', msg: 'must be a text' }],
    });
  });

  it('reads own properties only', () => {
    expect(fromTextObject(Type.Object({ toString: Type.Optional(Type.String()) }), {})).toEqual({});
  });
});

describe('stored texts', () => {
  it('lose invisible and direction characters, and keep those that scripts need', () => {
    expect(oneLine('  Rent \u202egnp.exe\u2069\n\t of\u0000 it ')).toBe('Rent gnp.exe of it');
    expect(plainText('One\r\n\u202dTwo\tthree')).toBe('One\nTwo\tthree');
    for (const name of ['क्\u200dष', 'ன்\u200c', 'محمد علي', '👩\u200d⚖️', 'Zo\u00eb']) {
      expect([oneLine(name), plainText(name)]).toEqual([name.normalize('NFC'), name.normalize('NFC')]);
    }
    expect(oneLine('Zoe\u0308')).toBe('Zo\u00eb');
    expect(oneLine(' \u200e\u202a\u00a0')).toBe('');
  });
});
