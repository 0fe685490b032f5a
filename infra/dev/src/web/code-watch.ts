import { watch } from 'node:fs';
import { join } from 'node:path';
import { SERVICE_NAMES } from '@karaar/contracts/names';
import { cloneRoot } from '@karaar/testing/roots';
import type { Product } from '../product.ts';
import type { ProcessName } from '../processes/services.ts';

/** Saving in an editor or checking out a branch changes many files at once. */
const settleMs = 200;
const watched = [
  'services',
  'gateway',
  'libs/base',
  'libs/bus',
  'libs/contracts',
  'libs/db',
  'libs/faces',
  'libs/http',
  'libs/observability',
  'libs/proof',
  'libs/service',
  'libs/sms',
  'libs/storage',
  'libs/testing/src/sandboxes',
  'libs/rendering',
  'libs/converting',
];
const inServices = [...SERVICE_NAMES, 'witness', 'broker-admin', 'converter'] as const;

/** Returns the processes that run the code of this file. @param path relative to the clone */
export function processesOf(path: string): readonly ProcessName[] {
  if (!/\.(ts|json|sql)$/.test(path) || /\.test\.ts$|(^|\/)(node_modules|dist|test)\//.test(path)) return [];
  const [first, second] = path.split('/');
  if (first === 'gateway') return ['gateway'];
  if (first === 'infra') return [];
  if (first === 'libs' && second === 'testing') return ['sandbox'];
  if (first === 'libs' && (second === 'rendering' || second === 'converting'))
    return ['documents', 'converter'];
  if (first === 'libs') return [...inServices, 'gateway'];
  return inServices.filter((name) => name === second);
}

/** Restarts the processes of changed code. A process that does not start stays down until the next change. */
export function restartOnChange(product: Product, log: (line: string) => void): void {
  const due = new Set<ProcessName>();
  let timer: NodeJS.Timeout | undefined;
  let work = Promise.resolve();
  const restartDue = async (): Promise<void> => {
    const names = [...due];
    due.clear();
    await Promise.all(
      names.map(async (name) => {
        try {
          await product.process(name).start();
          log(`${name}: runs the changed code`);
        } catch (error) {
          log(error instanceof Error ? error.message : String(error));
        }
      }),
    );
  };
  for (const folder of watched) {
    watch(join(cloneRoot, folder), { recursive: true }, (_event, file) => {
      if (file === null) return;
      for (const name of processesOf(join(folder, file))) due.add(name);
      if (due.size === 0) return;
      clearTimeout(timer);
      timer = setTimeout(() => {
        work = work.then(restartDue);
      }, settleMs);
    });
  }
}
