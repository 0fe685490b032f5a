import { join } from 'node:path';
import { EXPOSED, isLoopback } from '@karaar/contracts/exposure';
import { takeLock } from '@karaar/testing/machine/lock';
import { say, SetupError, step } from '@karaar/testing/machine/report';
import { freePort } from '@karaar/testing/processes/ports';
import { stateRoot } from '@karaar/testing/roots';
import { startProduct } from '../product.ts';
import type { OnStop } from '../processes/stop-signals.ts';
import { readyTable } from '../table.ts';

/** `npm start`: runs the whole product until a signal stops it. */
export async function start(onStop: OnStop): Promise<void> {
  const began = Date.now();
  const place = await takePlace();
  const product = await step('Starting Karaar', () => startProduct({ ...place, log: indented }));
  onStop(() => product.stop());
  say(readyTable(product.url, began));
}

export const indented = (line: string): void => say(`      ${line}`);

/**
 * Returns the address, and the folder for data, keys and logs (KARAAR_STATE, or `.karaar` in the clone), and prevents a
 * second product on the same data.
 * @throws SetupError with the address of the first, or for an address that is not allowed
 */
export async function takePlace(): Promise<{ stateDir: string; port: number; host?: string }> {
  const host = chosenHost();
  const port = await chosenPort(process.env['PORT']);
  const stateDir = process.env['KARAAR_STATE'] || stateRoot;
  const lock = takeLock(join(stateDir, 'start.lock'), { port });
  if (lock.taken) return { stateDir, port, ...host };
  const { pid, port: where } = lock.holder;
  throw new SetupError(
    `Karaar already runs from this clone: http://localhost:${String(where)} (process ${pid})`,
  );
}

async function chosenPort(text: string | undefined): Promise<number> {
  if (text === undefined || text === '') return 8080;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new SetupError(`PORT is "${text}"; it must be a number up to 65535`);
  return port === 0 ? freePort() : port;
}

/**
 * Returns the address from HOST.
 * @throws SetupError if others can reach it and the environment does not allow it
 */
export function chosenHost(env: NodeJS.ProcessEnv = process.env): { host?: string } {
  const host = env['HOST'];
  if (host === undefined || host === '') return {};
  if (isLoopback(host) || env['EXPOSED_DEVELOPMENT'] === EXPOSED) return { host };
  throw new SetupError(
    [
      `HOST is "${host}", where others reach this product. It is one of development: /dev/sms shows everybody's codes, the`,
      'demo users and the demo admin have known passwords, and card top-ups cost nothing.',
      `If that is what you want, say so: EXPOSED_DEVELOPMENT=${EXPOSED}`,
    ].join('\n'),
  );
}
