import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { KEYS, postJson } from './testing/sandbox.ts';

const script = fileURLToPath(new URL('./main.ts', import.meta.url));
const run = (env: Record<string, string>) =>
  spawn(process.execPath, [script], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
const good = {
  PORT: '0',
  RAZORPAY_KEY_ID: KEYS.keyId,
  RAZORPAY_KEY_SECRET: KEYS.keySecret,
  RAZORPAY_WEBHOOK_SECRET: KEYS.webhookSecret,
};

async function ready(env: Record<string, string>) {
  const child = run(env);
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, url: /http:\S+/.exec(line.toString())?.[0] ?? '' };
}

describe('the sandbox process', () => {
  it('reports all errors of its environment and exits with 1', async () => {
    const child = run({
      ...good,
      RAZORPAY_KEY_SECRET: '',
      PORT: 'x',
      WALLET_WEBHOOK_URL: 'ftp://x',
      NODE_ENV: 'production',
      HOST: '0.0.0.0',
    });
    const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect(code).toBe(1);
    for (const name of ['RAZORPAY_KEY_SECRET', 'PORT', 'WALLET_WEBHOOK_URL', 'NODE_ENV', 'HOST'])
      expect(errors).toContain(name);
    expect(errors).not.toContain(KEYS.webhookSecret);
  });

  it('becomes ready, ends on SIGTERM, and after SIGKILL still has its orders', async () => {
    const STATE_DIR = await mkdtemp(join(tmpdir(), 'karaar-sandbox-'));
    const authorization = `Basic ${Buffer.from(`${KEYS.keyId}:${KEYS.keySecret}`).toString('base64')}`;
    const first = await ready({ ...good, STATE_DIR });
    expect(await (await fetch(`${first.url}/healthz`)).json()).toEqual({ status: 'ok' });
    const { body } = await postJson(
      `${first.url}/v1/orders`,
      { amount: 100, currency: 'INR' },
      { authorization },
    );
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    const second = await ready({ ...good, STATE_DIR });
    const answer = await fetch(`${second.url}/v1/orders/${String(body.id)}`, { headers: { authorization } });
    expect(await answer.json()).toEqual(body);
    second.child.kill('SIGTERM');
    expect((await once(second.child, 'exit'))[0]).toBe(0);
    await rm(STATE_DIR, { recursive: true, force: true });
  });
});
