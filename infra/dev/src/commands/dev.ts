import { join } from 'node:path';
import { say, step } from '@karaar/testing/machine/report';
import { searchPath } from '@karaar/testing/machine/run';
import { startChild, stopOrphan } from '@karaar/testing/processes/child';
import { cloneRoot, stateRoot } from '@karaar/testing/roots';
import { restartOnChange } from '../web/code-watch.ts';
import { startProduct } from '../product.ts';
import type { OnStop } from '../processes/stop-signals.ts';
import { readyTable } from '../table.ts';
import { forgetWebBuild, webApps } from '../web/web-build.ts';
import { indented, takePlace } from './start.ts';

/** `npm run dev`: restarts services and rebuilds the front end after a change. */
export async function dev(onStop: OnStop): Promise<void> {
  const began = Date.now();
  const place = await takePlace();
  forgetWebBuild();
  await Promise.all(webApps.map(startWebpack));
  const product = await step('Starting Karaar for development', () =>
    startProduct({ ...place, web: false, log: indented }),
  );
  restartOnChange(product, (line) => say(`  ${line}`));
  onStop(() => product.stop());
  say(readyTable(product.url, began));
  say('The first build of the front end may take some more seconds. Reload a page after a change.');
}

async function startWebpack(app: string): Promise<void> {
  const cwd = join(cloneRoot, 'apps', app);
  const recordFile = join(stateRoot, 'run', `webpack-${app}.json`);
  await stopOrphan(recordFile);
  await startChild({
    name: `webpack-${app}`,
    command: 'webpack-cli',
    args: ['watch', '--mode', 'development'],
    cwd,
    // npm installs a program in the workspace if the root needs another version of it.
    env: { ...process.env, PATH: searchPath(cwd) },
    logFile: join(stateRoot, 'logs', `webpack-${app}.log`),
    recordFile,
    stopSignal: 'SIGTERM',
  });
}
