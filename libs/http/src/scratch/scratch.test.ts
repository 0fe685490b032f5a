import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@karaar/observability/logging';
import { openScratch, scratchFolder, sweepScratch } from './index.ts';

const logger = createLogger({ name: 'scratch', level: 'silent' });
let parent: string;

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'karaar-scratch-'));
});
afterEach(() => rm(parent, { recursive: true }));

it('removes only folders of processes that are gone, including one with the same id', async () => {
  const kept = [`work-${process.ppid}-abc123-x`, 'form-999999999-abc123-x', 'work-notes', 'fonts-1'];
  const gone = ['work-999999999-abc123-x', `work-${process.pid}-abc123-x`];
  await Promise.all(
    [...kept, ...gone].map((name) => mkdir(join(parent, name, 'faces'), { recursive: true })),
  );
  const own = await scratchFolder(parent, 'work');
  await sweepScratch(parent, 'work', logger);
  const left = (await readdir(parent)).map((name) => join(parent, name));
  expect(left.sort()).toEqual([...kept.map((name) => join(parent, name)), own].sort());
});

it('creates the parent if missing, and a new folder each time', async () => {
  const below = join(parent, 'a', 'b');
  const folders = [await openScratch(below, 'work', logger), await openScratch(below, 'work', logger)];
  expect((await readdir(below)).map((name) => join(below, name)).sort()).toEqual(folders.sort());
});
