/** Comments and documents cite `docs/spec.md` and `docs/design.md` by section: each of these is there. */
import { sourceFiles, textOf } from './testing/source-files.ts';

type Citation = { path: string; page: 'spec' | 'design'; section: string; label: string };

/** "spec §4 Payment", "spec §4, §5", "design §2.4-2.5", also where a comment breaks the line between. */
const CITATION =
  /\b([Ss]pec|[Dd]esign)(?:ification)?[\s*/]+((?:§\d+(?:[.,-]?\s?§?\d+)*))([\s*/]+[A-Z][A-Za-z]+)?/g;

const pages = { spec: textOf('docs/spec.md'), design: textOf('docs/design.md') };

/** The text below a numbered heading, and `undefined` where there is none. */
const sectionOf = (page: Citation['page'], number: string): string | undefined =>
  pages[page].split(/^(?=## )/m).find((part) => part.startsWith(`## ${number}. `));

/** Headings, bold beginnings and first cells: what a citation may name within a section. */
const labelsOf = (section: string): string[] =>
  [...section.matchAll(/^(?:### |- \*\*|\*\*|\| )([A-Z][^*|\n]*)/gm)].map(([, label]) => label ?? '');

const files = sourceFiles('*.ts', '*.tsx', '*.mjs', '*.css', '*.md', '*.yaml').filter(
  (path) => !['docs/spec.md', 'docs/design.md', 'tools/citations.int.test.ts'].includes(path),
);
const citations: Citation[] = files.flatMap((path) =>
  [...textOf(path).matchAll(CITATION)].flatMap(([, page = '', sections = '', label = '']) =>
    [...sections.matchAll(/\d+(?:\.\d+)?/g)].map(([section], i, all) => ({
      path,
      page: page.toLowerCase() as Citation['page'],
      section,
      label: i === all.length - 1 ? label.replace(/[\s*/]+/g, '') : '',
    })),
  ),
);

describe('citations of the specification and the design', () => {
  it('are found', () => {
    expect(citations.filter(({ page }) => page === 'spec').length).toBeGreaterThan(60);
    expect(citations.filter(({ page }) => page === 'design').length).toBeGreaterThan(40);
  });

  it('name sections that are there', () => {
    const missing = citations.filter(({ page, section }) => {
      const [chapter = '', point] = section.split('.');
      const text = sectionOf(page, chapter);
      return text === undefined || (point !== undefined && !new RegExp(`^ *${point}\\. `, 'm').test(text));
    });
    expect(missing).toEqual([]);
  });

  it('name parts of them that are there', () => {
    const missing = citations.filter(({ page, section, label }) => {
      const text = sectionOf(page, section.split('.')[0] ?? '') ?? '';
      return label !== '' && !labelsOf(text).some((each) => each.startsWith(label));
    });
    expect(missing).toEqual([]);
  });
});

it('nothing names a folder beside the repository', () => {
  const files = sourceFiles('*.ts', '*.tsx', '*.mjs', '*.json', '*.md', '*.yaml', '.ci/*');
  const outside = files.filter((path) =>
    /\.\.\/shared\/(?:spec|design|conformance|fixtures)[./]/.test(textOf(path)),
  );
  expect(outside).toEqual([]);
});
