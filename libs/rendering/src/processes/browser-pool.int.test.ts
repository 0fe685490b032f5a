import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, readlink, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { jest } from '@jest/globals';
import { startCanary, type Canary } from '@karaar/testing/canary';
import { type BrowserPool, createBrowserPool } from './browser-pool.ts';
import { DEFAULT_LIMITS } from '../limits.ts';
import type { RenderLimits } from '../types.ts';
import { chromiumPath } from '@karaar/testing/machine/programs';
import { CHROMIUM } from '@karaar/testing/programs';
import { textOf } from '@karaar/testing/pdf-judges';

jest.setTimeout(120_000);

const signal = new AbortController().signal;
let workDir: string;
const opened: BrowserPool[] = [];

beforeAll(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'karaar-browser-'));
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((pool) => pool.close()));
  expect(await browsers()).toEqual([]);
  expect(await readdir(workDir)).toEqual([]); // no profile remains
});

afterAll(async () => {
  await rm(workDir, { recursive: true });
});

function open(
  limits: Partial<RenderLimits> = {},
  chromiumPath = CHROMIUM,
  folder: string = workDir,
): BrowserPool {
  const pool = createBrowserPool({
    chromiumPath,
    workDir: folder,
    limits: { ...DEFAULT_LIMITS, ...limits },
  });
  opened.push(pool);
  return pool;
}

const say = (text: string): string => `<!doctype html><meta charset="utf-8"><p>${text}</p>`;

/** Returns the browser processes (not their helpers) whose profile is in our folder. */
async function browsers(): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found: number[] = [];
  for (const pid of pids) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (command.includes(`--user-data-dir=${workDir}`) && !command.includes('--type='))
      found.push(Number(pid));
  }
  return found;
}

describe('the isolation of a page', () => {
  let canary: Canary;
  let url: string;
  let port: string;

  beforeAll(async () => {
    canary = await startCanary();
    ({ url } = canary);
    ({ port } = new URL(url));
  });

  afterAll(() => canary.stop());

  it('runs no script and reaches no network, even if escaping failed', async () => {
    const page = `<!doctype html><head><base href="${url}/"><link rel="stylesheet" href="${url}/a.css"><link rel="preload" as="font" href="${url}/p.woff2">
<link rel="dns-prefetch" href="${url}"><link rel="preconnect" href="${url}"><link rel="prefetch" href="${url}/pre">
<style>@import url(${url}/b.css); @font-face{font-family:x;src:url(${url}/f.woff2)} p{font-family:x;background:url(${url}/c.png)}</style></head>
<body onload="document.body.textContent='SCRIPT RAN'"><p>Plain words</p><script>document.body.append('SCRIPT RAN');fetch('${url}/fetch')</script>
<img src="${url}/i.png" onerror="document.body.append('SCRIPT RAN')" srcset="${url}/s.png 2x"><iframe src="${url}/frame"></iframe><iframe src="file:///etc/passwd"></iframe>
<iframe srcdoc="<img src=${url}/srcdoc.png>"></iframe><object data="${url}/o"></object><embed src="${url}/e"><video src="${url}/v" poster="${url}/po"></video><audio src="${url}/au"></audio>
<svg><image href="${url}/svg.png"/><use href="${url}/u.svg#a"/></svg><img src="data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg"><image href="${url}/in-svg.png"/></svg>`)}">
${[`http://2130706433:${port}`, `http://localhost.:${port}`, `http://0x7f.1:${port}`, `//127.0.0.1:${port}`].map((name) => `<img src="${name}/by-name.png">`).join('')}<form action="${url}/form"><input type="image" src="${url}/in.png"></form>
</body>`;
    const text = await textOf(await open().print(page, { signal }));
    expect(text).toContain('Plain words');
    expect(text).not.toContain('SCRIPT RAN');
    expect(text).not.toContain('root:');
    expect(canary.visits).toEqual([]);
  });

  it('shows no frame, not even one from a data: URL, in any print', async () => {
    const pool = open();
    for (const name of ['first', 'second']) {
      const page = `<!doctype html><p>${name}</p><iframe src="data:text/html,framed"></iframe>`;
      expect((await textOf(await pool.print(page, { signal }))).trim()).toBe(name);
    }
  });

  it('does not print a page that navigates elsewhere', async () => {
    const page = `<!doctype html><meta http-equiv="refresh" content="0;url=${url}/refresh"><p>Plain words</p>`;
    const outcome = await open()
      .print(page, { signal })
      .then(textOf, (error: { code: string }) => error.code);
    expect(outcome === 'browser_failed' || outcome.includes('Plain words')).toBe(true);
    expect(canary.visits).toEqual([]);
  });
});

describe('the browser behind the pages', () => {
  it('serves many prints, and a page does not see the previous one', async () => {
    const pool = open();
    const texts = await Promise.all(
      Array.from({ length: 8 }, async (_, i) =>
        (await textOf(await pool.print(say(`print ${i} end`), { signal }))).trim(),
      ),
    );
    expect(texts).toEqual(Array.from({ length: 8 }, (_, i) => `print ${i} end`));
    expect(await browsers()).toHaveLength(1);
  });

  it('is replaced after a number of prints', async () => {
    const pool = open({ browserJobs: 2 });
    await pool.print(say('1'), { signal });
    const [first] = await browsers();
    await pool.print(say('2'), { signal });
    await pool.print(say('3'), { signal });
    const [second, ...others] = await browsers();
    expect(second).not.toBe(first);
    expect(others).toEqual([]);
  });

  it('is restarted if it dies, between prints and during one', async () => {
    const pool = open();
    await pool.print(say('before'), { signal });
    for (const pid of await browsers()) process.kill(pid, 'SIGKILL');
    expect(await textOf(await pool.print(say('after'), { signal }))).toContain('after');

    const heavy = say('word '.repeat(60_000));
    const print = pool.print(heavy, { signal });
    await new Promise((resolve) => setTimeout(resolve, 300));
    for (const pid of await browsers()) process.kill(pid, 'SIGKILL');
    expect(await textOf(await print)).toContain('word');
  });

  it.each([
    ['in its own folder', ''],
    ['elsewhere where that is too deep for one', 'd'.repeat(80)],
  ])('keeps its socket %s, which is removed after a kill', async (_, deep) => {
    // The headless shell has no socket.
    const chromium = chromiumPath(process.env, process.env['PATH'] ?? '') ?? 'chromium';
    const pool = open({}, chromium, join(workDir, deep));
    await pool.print(say('x'), { signal });
    const [profile = ''] = await readdir(join(workDir, deep));
    const socket = await readlink(join(workDir, deep, profile, 'SingletonSocket'));
    expect(socket.startsWith(join(workDir, profile))).toBe(deep === '');
    await pool.close();
    // Its folder is removed with the socket.
    expect(existsSync(dirname(dirname(socket)))).toBe(false);
    if (deep !== '') await rmdir(join(workDir, deep));
  });

  it('kills a page that takes too long; the next print works', async () => {
    const pool = open({ printMs: 1500 });
    await expect(
      pool.print(say('<table>'.repeat(200) + '<b>x</b> '.repeat(400_000)), { signal }),
    ).rejects.toMatchObject({ code: 'timeout' });
    const patient = open();
    expect(await textOf(await patient.print(say('next'), { signal }))).toContain('next');
  });

  it('answers an aborting caller at once, and prints nothing after close', async () => {
    const pool = open();
    const controller = new AbortController();
    const print = pool.print(say('word '.repeat(200_000)), { signal: controller.signal });
    setTimeout(() => controller.abort(), 200);
    await expect(print).rejects.toMatchObject({ code: 'aborted' });
    await pool.close();
    await expect(pool.print(say('x'), { signal })).rejects.toMatchObject({ code: 'aborted' });
  });

  it('may be started by a script that its program outlives', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'karaar-script-'));
    const script = join(folder, 'chromium');
    await writeFile(script, `#!/bin/sh -e\n"${CHROMIUM}" "$@"\n`, { mode: 0o755 });
    const controller = new AbortController();
    const print = open({}, script).print(say('word '.repeat(200_000)), { signal: controller.signal });
    setTimeout(() => controller.abort(), 200);
    await expect(print).rejects.toMatchObject({ code: 'aborted' });
    await Promise.all(opened.splice(0).map((pool) => pool.close()));
    // Its pipe fails now; an error without a listener would end the test's process.
    await new Promise((resolve) => setTimeout(resolve, 500));
    await rm(folder, { recursive: true });
  });

  it('reports a browser that cannot be started', async () => {
    await expect(open({}, '/nonexistent/chromium').print(say('x'), { signal })).rejects.toMatchObject({
      code: 'browser_failed',
      retryable: true,
    });
  });
});
