import fc from 'fast-check';
import {
  approvalStatement,
  contentHash,
  statementHash,
  type ApprovalFacts,
  type ApprovalStatement,
} from './approval.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 30 });
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const sha256 = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 64, maxLength: 64 });
const count = fc.integer({ min: 1, max: 2 ** 40 });

const facts: fc.Arbitrary<ApprovalFacts> = fc.record({
  document: fc.record({ id: fc.uuid(), code: text, version: count }),
  files: fc.array(fc.record({ name: text, sha256, bytes: count, pages_sha256: maybe(sha256) }), {
    maxLength: 4,
  }),
  terms: fc.record({
    name: text,
    location: maybe(text),
    start_date: maybe(text),
    end_date: maybe(text),
    description: maybe(text),
    page_details: fc.array(fc.record({ page_no: count, description: text }), { maxLength: 4 }),
  }),
  role: fc.constantFrom('primary' as const, 'party' as const),
  person: fc.record({ user_id: fc.uuid(), char_id: text, name: text }),
  approved_at: fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
});

function places(value: unknown, path: string[] = []): string[][] {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, each]) => places(each, [...path, key]))
    : [path];
}
function changed<T>(whole: T, path: readonly string[], to: (was: unknown) => unknown): T {
  const [key, ...rest] = path;
  if (key === undefined) return to(whole) as T;
  // The copy of a list is changed by index, like an object by name.
  const copy = Object.assign(Array.isArray(whole) ? [] : {}, whole) as Record<string, unknown>;
  copy[key] = changed(copy[key], rest, to);
  return copy as T;
}
const reversed = <T>(value: T): T => {
  if (Array.isArray(value)) return value.map(reversed) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, each]) => [key, reversed(each as unknown)]),
  ) as T;
};
const otherThan = (was: unknown): unknown => {
  if (typeof was === 'number') return was + 1;
  if (was === null) return '';
  return was === 'primary' ? 'party' : was === 'party' ? 'primary' : `${String(was)}.`;
};
const CONTENT = ['document', 'files', 'terms'];

describe('an approval statement', () => {
  it('changes with any change of a field, and the content hash with any change of the content', () => {
    fc.assert(
      fc.property(facts, fc.nat(), (given, at) => {
        const all = places(given);
        const path = all[at % all.length] ?? [];
        const other = changed(given, path, otherThan);
        expect(statementHash(approvalStatement(other))).not.toBe(statementHash(approvalStatement(given)));
        expect(contentHash(other) !== contentHash(given)).toBe(CONTENT.includes(String(path[0])));
      }),
      { numRuns: 500 },
    );
  });

  it('changes with the order, number and place of files and pages', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const [first, ...rest] = given.files;
        fc.pre(first !== undefined && rest.some((file) => JSON.stringify(file) !== JSON.stringify(first)));
        const turned = { ...given, files: [...rest, first as (typeof given.files)[number]] };
        const fewer = { ...given, files: rest };
        for (const other of [turned, fewer])
          expect(JSON.stringify(other.files) === JSON.stringify(given.files)).toBe(
            contentHash(other) === contentHash(given),
          );
      }),
    );
  });

  it('does not depend on the order of keys or on other fields of the given objects', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const more = { ...reversed(given), status: 'approved', terms: { ...given.terms, daily_rate: 7 } };
        expect(approvalStatement(more)).toBe(approvalStatement(given));
        expect(contentHash(more)).toBe(contentHash(given));
      }),
    );
  });

  it('contains exactly the given data, in every script', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const said = JSON.parse(approvalStatement(given)) as ApprovalStatement;
        expect(said).toEqual({ type: 'karaar.approval', version: 2, ...given });
        expect(contentHash(said)).toBe(contentHash(given));
      }),
    );
    const name = 'क्षितिज र‍्य ಕ್ಷ 👩‍⚖️ e\u0301 é \u2028"\\/';
    const [given] = fc.sample(facts, 1) as [ApprovalFacts];
    const named = approvalStatement({ ...given, person: { ...given.person, name } });
    expect((JSON.parse(named) as ApprovalStatement).person.name).toBe(name);
    // The composed and the decomposed letter are different texts: the text is kept as it was shown.
    expect(contentHash({ ...given, terms: { ...given.terms, name: 'e\u0301' } })).not.toBe(
      contentHash({ ...given, terms: { ...given.terms, name: '\u00e9' } }),
    );
  });

  it('differs for other pages of the same upload', () => {
    fc.assert(
      fc.property(facts, maybe(sha256), (given, pages_sha256) => {
        const [first, ...rest] = given.files;
        fc.pre(first !== undefined && first.pages_sha256 !== pages_sha256);
        const other = { ...given, files: [{ ...first, pages_sha256 } as typeof first, ...rest] };
        expect(contentHash(other)).not.toBe(contentHash(given));
      }),
    );
  });

  it('has one permanent form: these bytes and hashes are stored with approvals', () => {
    const given: ApprovalFacts = {
      document: { id: '0199aaaa-0000-7000-8000-000000000000', code: 'AB12CD34', version: 1 },
      files: [{ name: 'किराया.pdf', sha256: 'a'.repeat(64), bytes: 1234, pages_sha256: 'b'.repeat(64) }],
      terms: {
        name: 'Rent "two rooms"',
        location: null,
        start_date: '2026-03-01',
        end_date: '2026-03-07',
        description: 'Line 1\nLine 2',
        page_details: [{ page_no: 1, description: 'Terms' }],
      },
      role: 'party',
      person: { user_id: '0199bbbb-0000-7000-8000-000000000000', char_id: 'ZX98YW76', name: 'विक्रम शाह' },
      approved_at: '2026-11-22T09:08:07.006Z',
    };
    expect(approvalStatement(given)).toBe(
      '{"approved_at":"2026-11-22T09:08:07.006Z","document":{"code":"AB12CD34",' +
        '"id":"0199aaaa-0000-7000-8000-000000000000","version":1},"files":[{"bytes":1234,"name":"किराया.pdf",' +
        `"pages_sha256":"${'b'.repeat(64)}","sha256":"${'a'.repeat(64)}"}],"person":{"char_id":"ZX98YW76","name":"विक्रम शाह",` +
        '"user_id":"0199bbbb-0000-7000-8000-000000000000"},"role":"party","terms":{"description":"Line 1\\nLine 2",' +
        '"end_date":"2026-03-07","location":null,"name":"Rent \\"two rooms\\"","page_details":[{"description":"Terms",' +
        '"page_no":1}],"start_date":"2026-03-01"},"type":"karaar.approval","version":2}',
    );
    expect(contentHash(given)).toBe('0ad2578934bc0b7680821bec1b90a698c42bf6368d08689c13e16ae115eb9254');
    const unmade = { ...given, files: given.files.map((file) => ({ ...file, pages_sha256: null })) };
    expect(contentHash(unmade)).toBe('e6989b72ae8ccb8513d3845384162e7f8d750f4f4becd27c3cf5bd740ad0e443');
    expect(statementHash(approvalStatement(given))).toBe(
      '96b0bdb544d633507540ab83cd2b04c35586d4b2a4e30a42221bbc1ff06676fe',
    );
  });

  it('refuses values without a canonical form', () => {
    const [given] = fc.sample(facts, 1) as [ApprovalFacts];
    const named = (name: unknown) => ({ ...given, terms: { ...given.terms, name: name as string } });
    for (const name of ['\ud83d', undefined, 1.5, Number.NaN, 2 ** 60, 3n])
      expect(() => contentHash(named(name))).toThrow(RangeError);
  });
});
