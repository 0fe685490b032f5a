import { titlesOf } from './test-titles.ts';

const titles = (source: string) => titlesOf(source).map(({ text, line, group }) => [text, line, group]);

describe('titles', () => {
  it('are found for tests and groups, but not in test bodies, imports or comments', () => {
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

  it('are found in tables of tests, but not in functions there', () => {
    const source = [
      "const calls = [['by name', { act: () => press('no title') }]];",
      "it.each(calls)('%s fails', (name) => name);",
      "it.each([['in place', 1]])('%s', () => 'no title');",
    ].join('\n');
    expect(titles(source).map(([text]) => text)).toEqual(['by name', '%s fails', 'in place', '%s']);
  });
});
