import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MODEL_NAMES } from '../src/models/files.ts';
import { ensureModels } from './build.ts';
import { parsePackedIndex } from './sources.ts';

describe('the folder of converted models', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'models-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is made once and then reused', async () => {
    const first = await ensureModels(folder);
    expect(first.converted).toBe(true);
    expect((await readdir(folder)).sort()).toEqual(
      [...MODEL_NAMES.map((name) => `${name}.onnx`), 'manifest.json'].sort(),
    );
    for (const path of Object.values(first.paths)) expect((await stat(path)).size).toBeGreaterThan(100_000);
    expect(await ensureModels(folder)).toEqual({ paths: first.paths, converted: false });
  });

  it.each([
    ['a file was damaged', (bytes: Buffer) => Buffer.concat([bytes.subarray(0, 5000), bytes.subarray(5001)])],
    ['a file was emptied', () => Buffer.alloc(0)],
  ])('is made again when %s', async (_, damage) => {
    const { paths } = await ensureModels(folder);
    const good = await readFile(paths.landmark);
    await writeFile(paths.landmark, damage(good));
    expect((await ensureModels(folder)).converted).toBe(true);
    expect((await readFile(paths.landmark)).equals(good)).toBe(true);
  });

  it.each([
    ['was made from something else', (manifest: string) => manifest.replace(/"key": "./, '"key": "x')],
    ['has a manifest that is not JSON', () => '{'],
  ])('is made again when it %s', async (_, change) => {
    await ensureModels(folder);
    const manifest = join(folder, 'manifest.json');
    await writeFile(manifest, change(await readFile(manifest, 'utf8')));
    expect((await ensureModels(folder)).converted).toBe(true);
    expect((await ensureModels(folder)).converted).toBe(false);
  });

  it('is complete after concurrent conversions', async () => {
    await Promise.all([ensureModels(folder), ensureModels(folder), ensureModels(folder)]);
    expect((await ensureModels(folder)).converted).toBe(false);
  });
});

describe('the packed assets of the face mesh package', () => {
  it('are read from the list in the loader script', () => {
    const loader = 'x(); loadPackage({"files": [{"filename": "/a/b.tflite", "start": 3, "end": 9}]}); y();';
    expect(parsePackedIndex(loader)).toEqual([{ filename: '/a/b.tflite', start: 3, end: 9 }]);
  });

  it('are refused if the script has no list', () => {
    expect(() => parsePackedIndex('nothing here')).toThrow('no list of files');
  });
});
