import { judge, levelOf, parseExceptions, parseRows, type Verdict } from './conformance-rows.ts';

const rows = parseRows(
  'id\tarea\tvia\tstatement\nDOC-001\tDOC\tui\tOne.\nDOC-002\tDOC\tapi\tTwo.\nPAY-001\tPAY\tboth\tPay.\n',
);
const levels = (text = '') => parseExceptions(`id\tlevels\treason\n${text}`);
const BROWSER = "import { openBrowser } from '../src/test-file.ts';\n";
const journey = (titles: string) => ({
  path: 'e2e/journeys/x.test.ts',
  source: `${BROWSER}it('${titles}', f);`,
});
const overHttp = (titles: string) => ({
  path: 'services/documents/test/x.test.ts',
  source: `const api = startApi('x');\nit('${titles}', f);`,
});
const lacking = ({ rows: judged }: Verdict) =>
  Object.fromEntries(judged.flatMap(({ id, lacks }) => (lacks.length > 0 ? [[id, lacks]] : [])));

describe('a row', () => {
  it('needs a test at each of its levels', () => {
    const all = '[DOC-001] [DOC-002] [PAY-001] does it';
    expect(lacking(judge(rows, [], []))).toEqual({
      'DOC-001': ['screen'],
      'DOC-002': ['http'],
      'PAY-001': ['screen', 'http'],
    });
    expect(lacking(judge(rows, [], [journey(all)]))).toEqual({ 'DOC-002': ['http'], 'PAY-001': ['http'] });
    expect(lacking(judge(rows, [], [overHttp(all)]))).toEqual({
      'DOC-001': ['screen'],
      'PAY-001': ['screen'],
    });
    const verdict = judge(rows, [], [journey(all), overHttp(all)]);
    expect(verdict.faults).toEqual([]);
    expect(verdict.rows[2]?.proofs).toEqual([
      { path: 'e2e/journeys/x.test.ts', line: 2, level: 'screen' },
      { path: 'services/documents/test/x.test.ts', line: 2, level: 'http' },
    ]);
  });

  it('can have another level by an exception', () => {
    const elsewhere = levels('DOC-002\tservice\tNo call changes it: the database is asked.\n');
    expect(lacking(judge(rows, elsewhere, []))).toMatchObject({ 'DOC-002': ['service'] });
    const test = { path: 'services/wallet/test/cli.test.ts', source: "it('[DOC-002] at the database', f);" };
    expect(lacking(judge(rows, elsewhere, [test]))).not.toHaveProperty('DOC-002');
  });

  it('is not proved by a comment, a text inside a test or the title of a group', () => {
    const source = `${BROWSER}// [DOC-001]\nit('x', () => say('[DOC-001]'));\ndescribe('[DOC-001] x', () => {});`;
    const verdict = judge(rows, [], [{ path: 'e2e/journeys/x.test.ts', source }]);
    expect(lacking(verdict)).toMatchObject({ 'DOC-001': ['screen'] });
    expect(verdict.faults).toEqual([
      expect.stringContaining('x.test.ts:4 names DOC-001 in the title of a group'),
    ]);
  });
});

describe('faults', () => {
  it.each([
    ['an unknown id in a title', [], [journey(`[DOC${'-999'}] x`)], 'names DOC-999, which no row has'],
    [
      'an exception for an unknown id',
      levels('DOC-999\thttp\tA sentence that is long enough.\n'),
      [],
      'DOC-999',
    ],
    [
      'an unknown level',
      levels('DOC-001\tunit\tA sentence that is long enough.\n'),
      [],
      'unknown level: unit',
    ],
    [
      'an exception with the default levels',
      levels('DOC-001\tscreen\tA sentence that is long enough.\n'),
      [],
      'no exception',
    ],
  ])('%s', (_, exceptions, tests, says) => {
    expect(judge(rows, exceptions, tests).faults).toEqual([expect.stringContaining(says)]);
  });
});

describe('the level of a test file', () => {
  it.each([
    ['e2e/journeys/a.test.ts', "import { withScreen } from '../src/browser/opened.ts';", 'screen'],
    ['e2e/journeys/a.test.ts', "import { newPerson } from '../src/person.ts';", 'http'],
    ['services/wallet/test/a.test.ts', 'await startApi("x")', 'http'],
    ['services/wallet/test/a.test.ts', 'spawn(program)', 'service'],
    ['services/wallet/src/features/ledger/ledger.repository.int.test.ts', '', 'service'],
    ['libs/sealing/src/seal.int.test.ts', '', 'pdf'],
    ['apps/user-mfe/src/features/create/form/form.test.ts', '', 'domain'],
    ['infra/ops/test/restore.slow.ts', '', 'operations'],
  ])('%s with %j is %s', (path, source, level) => expect(levelOf(path, source)).toBe(level));
});
