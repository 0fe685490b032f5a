import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { processIdentity, waitGone } from '../machine/liveness.mjs';
import { killHard, launcher } from './launcher.ts';
import { scratch } from '../scratch.ts';
import { startChild, stopOrphan, type ChildSpec } from './child.ts';

let dir: string;
let remove: () => void;
beforeEach(() => ({ dir, remove } = scratch()));
afterEach(() => remove());

const spec = (shell: string): ChildSpec => ({
  name: 'sample',
  command: 'sh',
  args: ['-c', shell],
  cwd: dir,
  env: { PATH: process.env['PATH'] },
  logFile: join(dir, 'sample.log'),
  recordFile: join(dir, 'sample.json'),
  stopSignal: 'SIGTERM',
});

const output = (): string => readFileSync(join(dir, 'sample.log'), 'utf8');

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe('startChild', () => {
  it('keeps the output and reports how the child ended', async () => {
    const child = await startChild(spec('echo out; echo err >&2; exit 3'));
    expect(await child.exited).toEqual({ code: 3, text: 'ended with code 3' });
    expect(child.running()).toBe(false);
    expect(output().split('\n').sort()).toEqual(['', 'err', 'out']);
  });

  it('rejects a missing program', async () => {
    await expect(startChild({ ...spec(''), command: join(dir, 'nothing') })).rejects.toThrow(
      'sample: cannot run',
    );
  });

  it('stops a child with the signal of its program', async () => {
    const child = await startChild(
      spec('trap "echo bye; exit 0" TERM; echo up; while :; do sleep 0.05; done'),
    );
    await until(() => output().includes('up'));
    await child.stop();
    expect(await child.exited).toMatchObject({ code: 0 });
    expect(output()).toContain('bye');
  });

  it('kills a child that does not stop, and the processes that it started', async () => {
    const child = await startChild(
      spec('trap "" TERM; sh -c \'trap "" TERM; echo $$; while :; do sleep 0.05; done\'; sleep 60'),
    );
    await until(() => /^\d+$/m.test(output()));
    const grandchild = Number(output().trim());
    const identity = processIdentity(grandchild);
    expect(identity).toBeDefined();
    await child.stop(300);
    expect(await child.exited).toMatchObject({ text: 'was ended by SIGKILL' });
    expect(await waitGone(grandchild, identity ?? '', 5_000)).toBe(true);
  });
});

describe('a launcher that is killed', () => {
  const start = (shell: string): string => `
    const { startChild } = await src('processes/child.ts');
    const child = await startChild(${JSON.stringify(spec(shell))});
    report(child.pid);`;

  it('stops its children, each with its own signal', async () => {
    const parent = await launcher(
      dir,
      start('trap "echo orderly; exit 0" TERM; echo up; while :; do sleep 0.05; done'),
    );
    const pid = parent.reported as number;
    const identity = processIdentity(pid) ?? '';
    await until(() => output().includes('up'));
    await killHard(parent.process);
    expect(await waitGone(pid, identity, 5_000)).toBe(true);
    expect(output()).toContain('orderly');
  });

  it('leaves a record by which the next launcher stops children that still run', async () => {
    // The child outlives the watchdog's request, as if the watchdog were killed too.
    const parent = await launcher(dir, start('trap "sleep 1.5; exit 0" TERM; while :; do sleep 0.05; done'));
    const pid = parent.reported as number;
    const identity = processIdentity(pid) ?? '';
    await killHard(parent.process);
    expect(processIdentity(pid)).toBe(identity);
    await stopOrphan(join(dir, 'sample.json'));
    expect(processIdentity(pid)).toBeUndefined();
  });
});

describe('a launcher that stops everything', () => {
  it('starts nothing more, not even for a moment', async () => {
    const marker = join(dir, 'started');
    const { process: parent, reported } = await launcher(
      dir,
      `const { startChild, startTool, stopAllChildren } = await src('processes/child.ts');
      await stopAllChildren();
      const spec = ${JSON.stringify(spec(`echo x > ${marker}`))};
      const starts = await Promise.allSettled([startChild(spec), startTool(spec)]);
      await new Promise((resolve) => setTimeout(resolve, 500));
      report(starts.map(({ reason }) => reason?.message));`,
    );
    await killHard(parent);
    expect(reported).toEqual(Array(2).fill('sample is not started: everything is being stopped'));
    expect(existsSync(marker)).toBe(false);
  });
});

describe('stopOrphan', () => {
  it('does not stop another process with the same id', async () => {
    const child = await startChild(spec('sleep 60'));
    const record = join(dir, 'sample.json');
    const { pid } = child;
    const written = JSON.parse(readFileSync(record, 'utf8')) as { identity: string };
    const other = join(dir, 'other.json');
    writeFileSync(
      other,
      JSON.stringify({ pid, identity: `${written.identity}-before`, stopSignal: 'SIGTERM' }),
    );
    await stopOrphan(other);
    expect(child.running()).toBe(true);
    await stopOrphan(record);
    await child.exited;
    expect(child.running()).toBe(false);
  });
});
