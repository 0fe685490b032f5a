/** The witness as it runs in production: a process with a key and a state of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '@karaar/testing/ports';
import { until } from '@karaar/testing/until';

export type WitnessProcess = { url: string; stop(): Promise<void> };

/** @param given name, secret (PKCS#8 in base64), the key of the log that it watches, and its folder */
export async function startWitness(given: {
  name: string;
  secret: string;
  logKey: string;
  folder: string;
}): Promise<WitnessProcess> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const main = fileURLToPath(new URL('../../../witness/src/main.ts', import.meta.url));
  const child = spawn(process.execPath, [main], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      SERVICE_NAME: 'witness',
      PORT: String(port),
      INTERNAL_PORT: '0',
      LOG_LEVEL: 'fatal',
      WITNESS_NAME: given.name,
      WITNESS_KEY: given.secret,
      WITNESS_LOG_KEY: given.logKey,
      // Nobody serves the log in these tests; an audit comes later than they last.
      WITNESS_LOG_URL: 'http://127.0.0.1:9/log',
      WITNESS_AUDIT_S: '3600',
      STATE_DIR: given.folder,
    },
  });
  await until('the witness answers', async () => (await fetch(`${url}/healthz`).catch(() => null))?.ok);
  return {
    url,
    stop: async () => {
      child.kill();
      await once(child, 'exit');
    },
  };
}
