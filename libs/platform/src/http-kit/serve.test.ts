import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Agent, request } from 'undici';

const FIXTURE = fileURLToPath(new URL('../../test/fixtures/service.ts', import.meta.url));

type Running = {
  child: ChildProcess;
  /** All that it wrote. */
  output: () => string;
  /** The first match in what it writes. */
  saw: (pattern: RegExp) => Promise<RegExpExecArray>;
  exit: Promise<number | NodeJS.Signals | null>;
};

const children: ChildProcess[] = [];

function run(env: Record<string, string>): Running {
  const child = spawn(process.execPath, [FIXTURE], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const exit = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal));
  });
  return {
    child,
    output: () => text,
    exit,
    async saw(pattern) {
      for (;;) {
        const match = pattern.exec(text);
        if (match) return match;
        if (child.exitCode !== null) throw new Error(`It ended without ${pattern}: ${text}`);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
  };
}

async function runListening(env: Record<string, string> = {}): Promise<Running & { url: string }> {
  const running = run({ PORT: '0', FLAVOUR: 'x', ...env });
  const [, url = ''] = await running.saw(/^URL (\S+)$/m);
  return { ...running, url };
}

describe('runService', () => {
  const agent = new Agent();
  const get = async (url: string) => {
    const { statusCode, headers, body } = await request(url, { dispatcher: agent });
    return { status: statusCode, connection: headers.connection, body: await body.json() };
  };

  it('answers whoever still comes for as long as it is told to wait, not ready and closing connections', async () => {
    const { child, url, saw, exit } = await runListening({ DRAIN_WAIT_MS: '1000' });
    expect((await get(`${url}/readyz`)).status).toBe(200);
    const told = performance.now();
    child.kill('SIGTERM');
    await saw(/Draining/);
    expect(await get(`${url}/healthz`)).toMatchObject({ status: 200, connection: 'close' });
    // A connection that was opened only now.
    expect((await get(`${url}/readyz`)).status).toBe(503);
    expect(await exit).toBe(0);
    expect(performance.now() - told).toBeGreaterThanOrEqual(1_000);
  });

  afterEach(() => {
    for (const child of children.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
  });
  afterAll(() => agent.close());

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'on %s lets the running request finish, then closes and exits 0',
    async (signal) => {
      const { child, url, exit, saw, output } = await runListening();
      const answer = get(`${url}/slow/700`);
      await saw(/WORKING/);
      child.kill(signal);
      await saw(/Draining/);
      await expect(get(`${url}/healthz`)).rejects.toThrow();
      expect(await answer).toMatchObject({ status: 200, connection: 'close', body: { finished: true } });
      const answered = performance.now();
      expect(await exit).toBe(0);
      // It waits for the request, not for the connection that the client would keep.
      expect(performance.now() - answered).toBeLessThan(4_000);
      // Resources go last: the request above still needed them.
      expect(output().indexOf('CLOSED')).toBeGreaterThan(output().indexOf('"Answered"'));
    },
  );

  it('does not wait for idle connections', async () => {
    const { child, url, exit } = await runListening();
    await get(`${url}/healthz`);
    const before = performance.now();
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
    expect(performance.now() - before).toBeLessThan(5_000);
  });

  it('cuts what does not finish within the drain time', async () => {
    const { child, url, exit, saw } = await runListening();
    const answer = get(`${url}/slow/14000`).catch(() => 'cut');
    await saw(/WORKING/);
    const before = performance.now();
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
    expect(await answer).toBe('cut');
    const took = performance.now() - before;
    expect(took).toBeGreaterThan(9_500);
    expect(took).toBeLessThan(13_500);
  });

  it('exits at once on a second signal', async () => {
    const { child, url, exit, saw } = await runListening();
    void get(`${url}/slow/9000`).catch(() => undefined);
    await saw(/WORKING/);
    child.kill('SIGTERM');
    await saw(/Draining/);
    child.kill('SIGTERM');
    expect(await exit).toBe(1);
  });

  it('can be stopped while it starts', async () => {
    const { child, exit, saw } = run({ PORT: '0', FLAVOUR: 'x', START: 'slowly' });
    await saw(/STARTING/);
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
  });

  it('logs an uncaught error as fatal and exits 1', async () => {
    const { url, exit, output } = await runListening();
    await request(`${url}/crash`, { method: 'POST', dispatcher: agent }).catch(() => undefined);
    expect(await exit).toBe(1);
    expect(output()).toMatch(/"level":"fatal".*nobody caught this/);
  });

  it('lists every fault of its configuration and exits 1', async () => {
    const { exit, output } = run({ PORT: 'many' });
    expect(await exit).toBe(1);
    expect(output()).toBe(
      'The configuration has 2 faults:\n  PORT must be a whole number\n  FLAVOUR is required\n',
    );
  });

  it('tells why it cannot start and exits 1', async () => {
    const { exit, output } = run({ PORT: '0', FLAVOUR: 'x', START: 'badly' });
    expect(await exit).toBe(1);
    expect(output()).toContain('The database is not there');
  });
});
