import { watch } from 'node:fs';
import { join } from 'node:path';
import { SERVICE_NAMES } from '@karaar/contracts/names';
import { cloneRoot } from '@karaar/testing/roots';
import type { Product } from '../product.ts';
import type { ProcessName } from '../processes/services.ts';

/** Saving in an editor or checking out a branch changes many files at once. */
const settleMs = 200;
const watched = ['services', 'gateway', 'libs'];
/** The libraries of the browser. */
const inPages = ['api-client', 'i18n', 'ui', 'web-build'];
const inServices = [...SERVICE_NAMES, 'witness', 'broker-admin', 'converter'] as const;

/** Returns the processes that run the code of this file. @param path relative to the clone */
export function processesOf(path: string): readonly ProcessName[] {
  if (!/\.(ts|json|sql)$/.test(path) || /\.test\.ts$|(^|\/)(node_modules|dist|test)\//.test(path)) return [];
  const [first, second = ''] = path.split('/');
  if (first === 'gateway') return ['gateway'];
  if (first === 'libs') {
    if (second === 'testing') return path.includes('/sandboxes/') ? ['sandbox'] : [];
    if (second === 'rendering' || second === 'converting') return ['documents', 'converter'];
    return inPages.includes(second) ? [] : [...inServices, 'gateway'];
  }
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
