import { join } from 'node:path';
import { takeLock } from '../../bootstrap/lock.mjs';
import { say, SetupError, step } from '../../bootstrap/report.mjs';
import { startProduct } from '../product.ts';
import { stateRoot } from '../roots.ts';
import type { StopSignals } from '../stop-signals.ts';
import { readyTable } from '../table.ts';

const defaultPort = 8080;

/**
 * `npm start`: the whole product, until it is told to stop.
 *
 * @throws SetupError when it runs already, or a part of it does not start
 */
export async function start(signals: StopSignals): Promise<void> {
  const began = Date.now();
  const port = chosenPort(process.env['PORT']);
  lockClone(port);
  const log = (line: string): void => say(`      ${line}`);
  const product = await step('Starting Karaar', () =>
    startProduct({ stateDir: stateRoot, port, ...chosenHost(), log }),
  );
  signals.onStop(() => product.stop());
  say(readyTable(product.url, (Date.now() - began) / 1000));
}

/** Two of the same clone would fight over its data; the second says where the first is. */
export function lockClone(port: number): void {
  const lock = takeLock(join(stateRoot, 'start.lock'), { port });
  if (lock.taken) return;
  const { pid, port: where } = lock.holder;
  throw new SetupError(
    `Karaar already runs from this clone: http://localhost:${String(where)} (process ${pid})`,
  );
}

/** The public port from PORT. */
export function chosenPort(text: string | undefined): number {
  if (text === undefined || text === '') return defaultPort;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new SetupError(`PORT is "${text}"; it must be a number up to 65535`);
  return port;
}

/** The address to listen on from HOST; loopback when it is not set. */
export function chosenHost(): { host?: string } {
  const host = process.env['HOST'];
  return host === undefined || host === '' ? {} : { host };
}
