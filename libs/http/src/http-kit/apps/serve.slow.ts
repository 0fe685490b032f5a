import { spawn, type ChildProcess } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { until } from '@karaar/testing/until';
import { Agent, request } from 'undici';

const FIXTURE = fileURLToPath(new URL('../testing/service.ts', import.meta.url));

const GIVEN = { PORT: '0', INTERNAL_PORT: '0', FLAVOUR: 'x' };
const CREDENTIAL = { authorization: 'Bearer dev-wallet-to-fixture-wallet-to-fixture' };

type Running = {
  child: ChildProcess;
  output: () => string;
  /** Resolves with the first match in the output. */
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

async function runListening(
  env: Record<string, string> = {},
): Promise<Running & { url: string; innerUrl: string }> {
  const running = run({ ...GIVEN, ...env });
  const [, url = ''] = await running.saw(/^URL (\S+)$/m);
  const [, innerUrl = ''] = await running.saw(/^INNER (\S+)$/m);
  return { ...running, url, innerUrl };
}

describe('runService', () => {
  const agent = new Agent();
  const get = async (url: string, sent: Record<string, string> = {}) => {
    const { statusCode, headers, body } = await request(url, { dispatcher: agent, headers: sent });
    return { status: statusCode, connection: headers.connection, body: await body.json() };
  };

  it('answers new requests during the drain wait, reports not ready and closes connections', async () => {
    const { child, url, saw, exit } = await runListening({ DRAIN_WAIT_MS: '1000' });
    expect((await get(`${url}/readyz/self`)).status).toBe(200);
    const signalledAt = performance.now();
    child.kill('SIGTERM');
    await saw(/Draining/);
    expect(await get(`${url}/healthz`)).toMatchObject({ status: 200, connection: 'close' });
    // On a new connection.
    expect((await get(`${url}/readyz`)).status).toBe(503);
    expect((await get(`${url}/readyz/self`)).status).toBe(503);
    expect(await exit).toBe(0);
    expect(performance.now() - signalledAt).toBeGreaterThanOrEqual(1_000);
  });

  afterEach(() => {
    for (const child of children.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
  });
  afterAll(() => agent.close());

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'on %s lets the running request finish, then closes and exits 0',
    async (signal) => {
      const { child, url, exit, saw, output } = await runListening();
      const answer = get(`${url}/slow/1500`);
      await saw(/WORKING/);
      child.kill(signal);
      await saw(/Draining/);
      await expect(get(`${url}/healthz`)).rejects.toThrow();
      expect(await answer).toMatchObject({ status: 200, connection: 'close', body: { finished: true } });
      expect(await exit).toBe(0);
      // It waits for the request, not for the keep-alive connection.
      expect(output()).not.toContain('connections were cut');
      // Resources close last, because the request above still needed them.
      expect(output().indexOf('CLOSED')).toBeGreaterThan(output().indexOf('"Answered"'));
    },
  );

  it('drains and closes the internal port as it does the public one', async () => {
    const { child, url, innerUrl, exit, saw, output } = await runListening({ DRAIN_WAIT_MS: '1000' });
    const inside = get(`${innerUrl}/internal/slow/3000`, CREDENTIAL);
    await saw(/WORKING INSIDE/);
    child.kill('SIGTERM');
    await saw(/Draining/);
    // During the wait both ports answer and close the connection, so that metrics are still collected.
    const metrics = await request(`${innerUrl}/metrics`, { dispatcher: agent });
    expect([metrics.statusCode, metrics.headers.connection]).toEqual([200, 'close']);
    await metrics.body.dump();
    expect(await get(`${url}/healthz`)).toMatchObject({ status: 200, connection: 'close' });
    // The internal request still runs, and neither port accepts another one.
    await until('both ports are closed', async () => {
      await expect(get(`${innerUrl}/metrics`)).rejects.toThrow('ECONNREFUSED');
      await expect(get(`${url}/healthz`)).rejects.toThrow('ECONNREFUSED');
      return true;
    });
    expect(await inside).toMatchObject({ status: 200, connection: 'close', body: { finished: true } });
    expect(await exit).toBe(0);
    expect(output().indexOf('CLOSED')).toBeGreaterThan(output().indexOf('"Answered"'));
  });

  it('cuts what does not finish inside within the drain time', async () => {
    const { child, innerUrl, exit, saw } = await runListening({ DRAIN_MS: '2000' });
    const answer = get(`${innerUrl}/internal/slow/30000`, CREDENTIAL).catch(() => 'cut');
    await saw(/WORKING INSIDE/);
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
    expect(await answer).toBe('cut');
  });

  it.each(['INTERNAL_PORT', 'PORT'])('reports that the port of %s is in use, and exits 1', async (name) => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    const { exit, output } = run({ ...GIVEN, [name]: String(port) });
    expect(await exit).toBe(1);
    expect(output()).toContain(
      `The configuration has 1 fault:\n  ${name} is ${port}, and 127.0.0.1:${port} is in use by another program\n`,
    );
    await new Promise((resolve) => taken.close(resolve));
  });

  it('does not wait for idle connections', async () => {
    const { child, url, exit, output } = await runListening();
    await get(`${url}/healthz`);
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
    expect(output()).not.toContain('connections were cut');
  });

  it('cuts what does not finish within the drain time', async () => {
    const { child, url, exit, saw, output } = await runListening({ DRAIN_MS: '2000' });
    const answer = get(`${url}/slow/30000`).catch(() => 'cut');
    await saw(/WORKING/);
    const before = performance.now();
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
    expect(await answer).toBe('cut');
    expect(performance.now() - before).toBeGreaterThanOrEqual(2_000);
    expect(output()).toContain('connections were cut');
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
    const { child, exit, saw } = run({ ...GIVEN, START: 'slowly' });
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
      'The configuration has 3 faults:\n  INTERNAL_PORT is required\n  PORT must be a whole number\n  FLAVOUR is required\n',
    );
  });

  it('reports why it cannot start and exits 1', async () => {
    const { exit, output } = run({ ...GIVEN, START: 'badly' });
    expect(await exit).toBe(1);
    expect(output()).toContain('The database is not there');
  });
});
