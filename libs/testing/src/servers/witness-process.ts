/** The witness as it runs in production: a process with a key and a state of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '../processes/ports.ts';
import { until } from '../until.ts';

const MAIN = fileURLToPath(new URL('../../../../services/witness/src/main.ts', import.meta.url));

/** Many processes start at the same time where tests run. */
const START_MS = 90_000;

export type WitnessProcess = { url: string; stop(signal?: NodeJS.Signals): Promise<void> };

/** @param given name, secret (PKCS#8 in base64), the key of the log that it watches, and its folder */
export async function startWitness(given: {
  name: string;
  secret: string;
  /** 32 bytes in base64, for a second key of ML-DSA-44. */
  mlDsaSeed?: string;
  logKey: string;
  folder: string;
  /** Any free one when none is given. */
  port?: number;
  /** Where it reads the log, and how often, in seconds; without it no audit happens while a test lasts. */
  audit?: { url: string; everyS: number };
}): Promise<WitnessProcess> {
  const { audit = { url: 'http://127.0.0.1:9/log', everyS: 3600 } } = given;
  const port = given.port ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [MAIN], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      SERVICE_NAME: 'witness',
      PORT: String(port),
      INTERNAL_PORT: '0',
      LOG_LEVEL: 'fatal',
      WITNESS_NAME: given.name,
      WITNESS_KEY: given.secret,
      ...(given.mlDsaSeed ? { WITNESS_ML_DSA_SEED: given.mlDsaSeed } : {}),
      WITNESS_LOG_KEY: given.logKey,
      WITNESS_LOG_URL: audit.url,
      WITNESS_AUDIT_S: String(audit.everyS),
      STATE_DIR: given.folder,
    },
  });
  const stop = async (signal?: NodeJS.Signals): Promise<void> => {
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  };
  try {
    const answers = async () => (await fetch(`${url}/healthz`).catch(() => null))?.ok;
    await until('the witness answers', answers, START_MS);
  } catch (error) {
    // A process that nobody knows of would outlive the test.
    await stop('SIGKILL');
    throw error;
  }
  return { url, stop };
}
