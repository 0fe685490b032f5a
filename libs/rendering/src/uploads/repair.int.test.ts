/** Limits the cost of a damaged file for the shared repair process. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { jest } from '@jest/globals';
import { DEFAULT_LIMITS } from '../limits.ts';
import { repairPdf } from './repair.ts';
import { onePage } from '../testing/raw-pdf.ts';

jest.setTimeout(120_000);

let dir: string;
beforeEach(async () => (dir = await mkdtemp(join(tmpdir(), 'karaar-repair-'))));
afterEach(() => rm(dir, { recursive: true }));

/** A page with a duplicate entry, which makes qpdf warn, and these bytes before its end. */
async function warnedOf(inside: string): Promise<string> {
  const page = Buffer.from(onePage('', { page: '/Rotate 0 /Rotate 0' })).toString('latin1');
  const [end = ''] = /startxref\n\d+\n%%EOF\n$/.exec(page) ?? [];
  const path = join(dir, 'warned.pdf');
  await writeFile(path, `${page.slice(0, -end.length)}${inside}%endobj\n${end}`, 'latin1');
  return path;
}

const tools = () => ({
  qpdfPath: 'qpdf',
  dir,
  limits: DEFAULT_LIMITS,
  signal: new AbortController().signal,
});

it('a file with a small fault is repaired, a truncated one is not', async () => {
  const path = await warnedOf('');
  const out = join(dir, 'out.pdf');
  await repairPdf({ name: 'a.pdf', path, out }, tools());
  await writeFile(path, '99 0 obj\n<< /Length', { flag: 'a' });
  await expect(repairPdf({ name: 'a.pdf', path, out }, tools())).rejects.toMatchObject({
    code: 'pdf_broken',
  });
});

it('a file with millions of object keywords takes no more memory than its size', async () => {
  const path = await warnedOf('%1 0 obj\n'.repeat(2_000_000));
  const code = `
    import { repairPdf } from ${JSON.stringify(new URL('./repair.ts', import.meta.url).href)};
    import { DEFAULT_LIMITS } from ${JSON.stringify(new URL('../limits.ts', import.meta.url).href)};
    await repairPdf(
      { name: 'a.pdf', path: ${JSON.stringify(path)}, out: ${JSON.stringify(join(dir, 'out.pdf'))} },
      { qpdfPath: 'qpdf', dir: ${JSON.stringify(dir)}, limits: DEFAULT_LIMITS, signal: new AbortController().signal },
    );
    process.stdout.write('repaired');`;
  const args = ['--max-old-space-size=128', '--input-type=module', '-e', code];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname });
  expect(stdout).toBe('repaired');
});
