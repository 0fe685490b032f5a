import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { killHard, launcher } from '../processes/launcher.ts';
import { scratch } from '../scratch.ts';
import { takeLock } from './lock.mjs';

let dir: string;
let remove: () => void;
beforeEach(() => ({ dir, remove } = scratch()));
afterEach(() => remove());

const holding = (file: string): string => `
  const { takeLock } = await src('machine/lock.mjs');
  report(takeLock(${JSON.stringify(file)}, { port: 8123 }).taken);`;

describe('takeLock', () => {
  it('is taken once, and free again after its release', () => {
    const file = join(dir, 'a', 'lock');
    const lock = takeLock(file, { port: 1 });
    expect(lock.taken).toBe(true);
    expect(takeLock(file)).toMatchObject({ taken: false, holder: { pid: process.pid, port: 1 } });
    if (lock.taken) lock.release();
    expect(existsSync(file)).toBe(false);
    expect(takeLock(file).taken).toBe(true);
    expect(readdirSync(join(dir, 'a'))).toEqual(['lock']);
  });

  it('names its holder, and is free once the holder was killed', async () => {
    const file = join(dir, 'lock');
    const holder = await launcher(dir, holding(file));
    expect(holder.reported).toBe(true);
    expect(takeLock(file)).toMatchObject({ taken: false, holder: { pid: holder.process.pid, port: 8123 } });
    await killHard(holder.process);
    expect(takeLock(file).taken).toBe(true);
  });

  it('is free if another process got the holder’s process id', () => {
    const file = join(dir, 'lock');
    takeLock(file);
    const { identity, ...rest } = JSON.parse(readFileSync(file, 'utf8')) as { identity: string };
    writeFileSync(file, JSON.stringify({ ...rest, identity: `${identity}-before` }));
    expect(takeLock(file).taken).toBe(true);
  });

  it('is free if its file is damaged', () => {
    const file = join(dir, 'lock');
    writeFileSync(file, '{"pid":');
    expect(takeLock(file).taken).toBe(true);
  });

  it('goes to exactly one of many processes that find it stale at the same moment', async () => {
    const file = join(dir, 'lock');
    writeFileSync(file, '{"pid":0}');
    const all = await Promise.all(Array.from({ length: 6 }, () => launcher(dir, holding(file))));
    expect(all.filter(({ reported }) => reported === true)).toHaveLength(1);
    await Promise.all(all.map((one) => killHard(one.process)));
  });
});
