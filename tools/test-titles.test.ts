import { readTests } from './test-titles.ts';

const titles = (source: string) =>
  readTests(source).titles.map(({ text, line, group }) => [text, line, group]);
const vanishing = (source: string) => readTests(source).vanishing.map(({ line, how }) => `${line} ${how}`);

describe('titles', () => {
  it('are those of tests and groups, not texts in tests, imports or comments', () => {
    const source = [
      "import { x } from './x.ts';",
      '// "a comment"',
      "describe('group', () => {",
      "  beforeAll(() => set('no title'));",
      "  it('first', () => { expect('no title').toBe(1); });",
      '  test(`second ${x}`, async () => undefined);',
      '});',
    ].join('\n');
    expect(titles(source)).toEqual([
      ['group', 3, true],
      ['first', 5, false],
      ['second ${x}', 6, false],
    ]);
  });

  it('stand in tables as well, but not in what the rows of a table do', () => {
    const source = [
      "const calls = [['by name', { act: () => press('no title') }]];",
      "it.each(calls)('%s fails', (name) => name);",
      "it.each([['in place', 1]])('%s', () => 'no title');",
    ].join('\n');
    expect(titles(source).map(([text]) => text)).toEqual(['by name', '%s fails', 'in place', '%s']);
  });
});

describe('tests that may be missing from a run', () => {
  it.each([
    ["it.skip('x', () => {});"],
    ["describe.only('x', () => {});"],
    ["it.todo('x');"],
    ["xit('x', () => {});"],
    ["test.only.each([1])('%i', () => {});"],
    ["it.each([1]).skip('%i', () => {});"],
  ])('are switched off: %s', (source) => expect(vanishing(source)).toEqual(['1 disabled']));

  it.each([
    ["if (there) { it('x', () => {}); }"],
    ["there ? describe('x', () => {}) : undefined;"],
    ["there && it('x', () => {});"],
    ["describe('g', () => { if (there) it('x', () => {}); });"],
    ["(there ? it : it.skip)('x', () => {});"],
    ['const maybe = there ? describe : describe.skip;'],
  ])('depend on something: %s', (source) =>
    expect(vanishing(source)).toEqual([expect.stringContaining('1 ')]),
  );

  it('are not those of a loop or a table, nor what a test does under a condition', () => {
    const source =
      "for (const x of [1]) it(`${x}`, () => { if (x) expect(x).toBe(1); });\nit.each([1])('%i', () => {});";
    expect(vanishing(source)).toEqual([]);
  });
});
