import { say } from '@karaar/testing/machine/report';
import { stopAllChildren } from '@karaar/testing/processes/child';
import { whenLauncherGone } from './ancestors.ts';

/** Ends this process in order when it is told to, or when whoever started it is gone. */
export interface StopSignals {
  /** What to do from now on instead of plainly stopping every child. */
  onStop(work: () => Promise<void>): void;
}

/**
 * Ctrl-C, SIGTERM, a closed terminal and a killed npm all mean the same: stop every child, then end.
 */
export function handleStopSignals(): StopSignals {
  let work = stopAllChildren;
  let stopping = false;
  const stop = (code: number, why: string): void => {
    if (stopping) return;
    stopping = true;
    say(`\n${why}: stopping`);
    const tell = (error: unknown): void => console.error(error);
    work()
      .catch(tell)
      .then(() => stopAllChildren())
      .catch(tell)
      .finally(() => {
        say('Stopped.');
        process.exit(code);
      });
  };
  process.on('SIGINT', () => stop(130, 'Interrupted'));
  process.on('SIGTERM', () => stop(143, 'Told to end'));
  process.on('SIGHUP', () => stop(129, 'Terminal closed'));
  // A terminal that is gone must not stop us from stopping.
  process.stdout.on('error', () => undefined);
  whenLauncherGone(() => stop(1, 'The process that started this is gone'));
  return { onStop: (next) => (work = next) };
}
