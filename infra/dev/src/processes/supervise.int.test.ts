import { join } from 'node:path';
import { startChild } from '@karaar/testing/processes/child';
import { runPart, type Part } from '@karaar/testing/processes/part';
import { freePort } from '@karaar/testing/processes/ports';
import { scratch } from '@karaar/testing/scratch';
import { supervise } from './supervise.ts';

let dir: string;
let remove: () => void;
let part: Part | undefined;
beforeEach(() => ({ dir, remove } = scratch()));
afterEach(async () => {
  await part?.stop();
  part = undefined;
  remove();
});

async function run(
  code = "require('http').createServer((_, res) => res.end('here')).listen(PORT, '127.0.0.1')",
  port?: number,
  abort?: AbortSignal,
): Promise<Part> {
  return runPart({
    name: 'sample',
    logFile: join(dir, 'sample.log'),
    ...(port === undefined ? {} : { port }),
    ...(abort === undefined ? {} : { abort }),
    url: (chosen) => `http://127.0.0.1:${chosen}`,
    launch: (chosen) =>
      startChild({
        name: 'sample',
        command: process.execPath,
        args: ['-e', code.replace('PORT', String(chosen))],
        cwd: dir,
        env: {},
        logFile: join(dir, 'sample.log'),
        recordFile: join(dir, 'sample.json'),
        stopSignal: 'SIGTERM',
      }),
    probe: async (chosen) => {
      await (await fetch(`http://127.0.0.1:${chosen}`)).text();
    },
  });
}

describe('runPart', () => {
  it('reports a part that does not start, with its exit code and its last output', async () => {
    await expect(run('console.log("my reason"); process.exit(4)')).rejects.toThrow(
      /^sample ended with code 4 during start [^]* my reason$/,
    );
  });

  it('stops a start that is aborted', async () => {
    const abort = new AbortController();
    const started = run('setInterval(() => undefined, 1000)', undefined, abort.signal);
    setTimeout(() => abort.abort(), 300);
    await expect(started).rejects.toThrow('sample was given up during start');
  });

  it('restarts on the same port', async () => {
    part = await run(undefined, await freePort());
    const { url, pid } = part;
    await part.restart();
    expect(part.url).toBe(url);
    expect(part.pid).not.toBe(pid);
    expect(await (await fetch(url)).text()).toBe('here');
  });
});

describe('supervise', () => {
  it('restarts a killed part and logs it', async () => {
    part = await run();
    const lines: string[] = [];
    const letGo = supervise(part, (line) => lines.push(line));
    const before = part.pid;
    part.kill('SIGKILL');
    await part.waitReady();
    expect(part.pid).not.toBe(before);
    expect(await (await fetch(part.url)).text()).toBe('here');
    expect(lines[0]).toBe('sample was ended by SIGKILL; starting it again');
    letGo();
  });

  it('does not restart a part after the supervision ended', async () => {
    part = await run();
    const lines: string[] = [];
    supervise(part, (line) => lines.push(line))();
    part.kill('SIGKILL');
    await part.exited();
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(part.running()).toBe(false);
    expect(lines).toEqual([]);
  });
});
