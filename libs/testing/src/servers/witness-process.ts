/** The witness as in production: a process with its own key and state. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '../processes/ports.ts';
import { until } from '../until.ts';

const MAIN = fileURLToPath(new URL('../../../../services/witness/src/main.ts', import.meta.url));

/** Long, because tests start many processes at the same time. */
const START_MS = 90_000;

export type WitnessProcess = { url: string; stop(signal?: NodeJS.Signals): Promise<void> };

/**
 * Starts a witness. @param given name, secret (PKCS#8 in base64), the key of the log that it watches, and its
 * folder
 */
export async function startWitness(given: {
  name: string;
  secret: string;
  /** 32 bytes in base64, for a second key of ML-DSA-44. */
  mlDsaSeed?: string;
  logKey: string;
  folder: string;
  /** Any free one by default. */
  port?: number;
  /** The address of the log, and the interval in seconds; without it no audit happens during a test. */
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
    // Otherwise the process would outlive the test.
    await stop('SIGKILL');
    throw error;
  }
  return { url, stop };
}
