/** Reading the rows of the specification and the titles that name them. Pure. */

export type Row = { id: string; area: string; via: string; statement: string };

const ID = /\[([A-Z]+-\d{3})\]/g;

/** Tab-separated, with a head line. */
export const parseRows = (text: string): Row[] =>
  text
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [id = '', area = '', via = '', statement = ''] = line.split('\t');
      return { id, area, via, statement };
    });

/** Every `[AREA-123]` of a test file. */
export const rowsNamedIn = (source: string): string[] =>
  [...source.matchAll(ID)].map((match) => match[1] ?? '');

export function summarize(
  rows: readonly Row[],
  named: ReadonlySet<string>,
): { missing: Row[]; unknown: string[]; areas: { name: string; named: number; total: number }[] } {
  const known = new Set(rows.map((row) => row.id));
  const names = [...new Set(rows.map((row) => row.area))].sort();
  return {
    missing: rows.filter((row) => !named.has(row.id)),
    unknown: [...named].filter((id) => !known.has(id)).sort(),
    areas: names.map((name) => {
      const ofArea = rows.filter((row) => row.area === name);
      return { name, named: ofArea.filter((row) => named.has(row.id)).length, total: ofArea.length };
    }),
  };
}
