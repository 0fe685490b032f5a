import { parseRows, rowsNamedIn, summarize } from './conformance-rows.ts';

const rows = parseRows(
  'id\tarea\tvia\tstatement\nDOC-001\tDOC\tui\tOne.\nDOC-002\tDOC\tapi\tTwo.\nPAY-001\tPAY\tui\tPay.\n',
);

describe('conformance', () => {
  it('finds every row that a title names in brackets, several in one title too', () => {
    const source = `it('[DOC${'-001'}] [PAY${'-001'}] does it', () => {}); // DOC-002 is only mentioned`;
    expect(rowsNamedIn(source)).toEqual(['DOC-001', 'PAY-001']);
  });

  it('lists what no test names, and names that no row has', () => {
    const summary = summarize(rows, new Set([rows[0]!.id, `DOC${'-999'}`]));
    expect(summary.missing.map((row) => row.id)).toEqual(['DOC-002', 'PAY-001']);
    expect(summary.unknown).toEqual([`DOC${'-999'}`]);
    expect(summary.areas).toEqual([
      { name: 'DOC', named: 1, total: 2 },
      { name: 'PAY', named: 0, total: 1 },
    ]);
  });
});
