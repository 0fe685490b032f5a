/** Second step of the commands, on Node 24 with everything installed. ../bootstrap.mjs is the first. */
import { SetupError } from '@karaar/testing/machine/report';
import { isClosing, stopAllChildren } from '@karaar/testing/processes/child';
import { bench } from './commands/bench.ts';
import { dev } from './commands/dev.ts';
import { repeat } from './commands/repeat.ts';
import { start } from './commands/start.ts';
import { tool } from './tool.ts';
import { test } from './commands/test.ts';
import { handleStopSignals } from './processes/stop-signals.ts';

const [command, ...args] = process.argv.slice(2);
const onStop = handleStopSignals();
try {
  const code = await run(command);
  if (code !== undefined) process.exit(code);
} catch (error) {
  // After a signal, its handler ends this process and causes further errors.
  if (!isClosing()) {
    await stopAllChildren();
    console.error(error instanceof SetupError ? `\n${error.message}` : error);
    process.exit(1);
  }
}

/** Runs one command. Returns its exit code, or undefined if it keeps running. */
async function run(name: string | undefined): Promise<number | undefined> {
  if (name === 'test' || name === 'test-unit' || name === 'test-all') return test(name, args);
  if (name === 'test-repeat') return repeat(args);
  if (name === 'bench') return bench(args);
  if (name === 'k8s-check') return tool('infra/k8s/src/check.ts', args);
  if (name === 'test-deployment') return tool('e2e/deployment/main.ts', args);
  await (name === 'dev' ? dev(onStop) : start(onStop));
  // Children do not keep this process alive; a signal ends it.
  setInterval(() => undefined, 60_000);
  return undefined;
}
