/** The app's build of PDF.js works without browser features that are newer than October 2023. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { textPdf } from '@karaar/testing/made-up/files';
import { root } from './testing/source-files.ts';

const { default: pdfjsLoader } = (await import(join(root, 'libs/web-build/src/pdfjs-loader.mjs'))) as {
  default: (source: string) => string;
};
const { default: config } = (await import(join(root, 'apps/user-mfe/webpack.config.mjs'))) as {
  default: (
    env: object,
    args: { mode: string },
  ) => {
    resolve: { alias: Record<string, string> };
    module: { rules: { test: RegExp; use?: unknown }[] };
  };
};

/** Removes features that Chrome 118 (October 2023) lacks; the newest is of Chrome 144 (January 2026). */
const LACKS = `
  const lack = (holder, ...names) => names.forEach((name) => delete holder[name]);
  lack(Promise, 'try', 'withResolvers');
  lack(URL, 'parse', 'canParse');
  lack(Math, 'sumPrecise', 'f16round');
  lack(Uint8Array, 'fromBase64', 'fromHex');
  lack(Uint8Array.prototype, 'toBase64', 'toHex', 'setFromBase64', 'setFromHex');
  lack(Map.prototype, 'getOrInsert', 'getOrInsertComputed');
  lack(WeakMap.prototype, 'getOrInsert', 'getOrInsertComputed');
  lack(Set.prototype, 'union', 'intersection', 'difference', 'symmetricDifference', 'isSubsetOf', 'isSupersetOf', 'isDisjointFrom');
  lack(globalThis.Iterator?.prototype ?? {}, 'map', 'filter', 'take', 'drop', 'flatMap', 'reduce', 'toArray', 'forEach', 'some', 'every', 'find');
  lack(globalThis, 'Iterator', 'Float16Array');
  lack(Array, 'fromAsync');
  lack(RegExp, 'escape');
  lack(Error, 'isError');
`;
/** Reads the text of the first page; PDF.js and its worker run in one process without these features. */
const READS = `
  ${LACKS}
  const [page, worker, pdf] = process.argv.slice(1);
  const { getDocument, GlobalWorkerOptions } = await import(page);
  GlobalWorkerOptions.workerSrc = worker;
  const { promise } = getDocument({ data: Uint8Array.from(Buffer.from(pdf, 'base64')), verbosity: 0 });
  const { items } = await (await (await promise).getPage(1)).getTextContent();
  process.stdout.write(items.map(({ str }) => str).join(''));
`;

let folder: string;
let pdf: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pdfjs-'));
  pdf = Buffer.from(await textPdf('Rent for one year')).toString('base64');
});
afterAll(() => rm(folder, { recursive: true }));

const wordsWith = (page: string, worker: string): string => {
  const args = ['--input-type=module', '-e', READS, page, worker, pdf];
  return execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
};

it('shows the words of a page in a browser like Chrome 118', async () => {
  const { resolve, module } = config({}, { mode: 'development' });
  /** Applies the webpack loader. */
  const built = async (path: string): Promise<string> => {
    expect(module.rules.filter(({ test, use }) => use && test.test(path))).toHaveLength(1);
    const copy = join(folder, basename(path));
    await writeFile(copy, pdfjsLoader(await readFile(path, 'utf8')));
    return copy;
  };
  const page = await built(resolve.alias['pdfjs-dist$'] ?? '');
  const worker = await built(join(resolve.alias['pdfjs-dist/build'] ?? '', 'pdf.worker.min.mjs'));
  expect(wordsWith(page, worker)).toContain('Rent for one year');
});

it('the default build of PDF.js fails there', () => {
  const of = (file: string) => fileURLToPath(import.meta.resolve(`pdfjs-dist/build/${file}`));
  expect(() => wordsWith(of('pdf.mjs'), of('pdf.worker.min.mjs'))).toThrow();
});
