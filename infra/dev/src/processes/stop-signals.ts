import { say } from '@karaar/testing/machine/report';
import { stopAllChildren } from '@karaar/testing/processes/child';
import { whenLauncherGone } from './ancestors.ts';

/** Sets the work that a stop does first; without it, a stop only stops every child. */
export type OnStop = (work: () => Promise<void>) => void;

/** Ctrl-C, SIGTERM, a closed terminal and a killed npm all stop every child and end this process. */
export function handleStopSignals(): OnStop {
  let work = stopAllChildren;
  let stopping = false;
  const stop = (code: number, why: string): void => {
    if (stopping) return;
    stopping = true;
    say(`\n${why}: stopping`);
    work()
      .catch(console.error)
      .then(stopAllChildren)
      .catch(console.error)
      .finally(() => {
        say('Stopped.');
        process.exit(code);
      });
  };
  process.on('SIGINT', () => stop(130, 'Interrupted'));
  process.on('SIGTERM', () => stop(143, 'Told to end'));
  process.on('SIGHUP', () => stop(129, 'Terminal closed'));
  // A closed terminal must not prevent the stop.
  process.stdout.on('error', () => undefined);
  whenLauncherGone(() => stop(1, 'The process that started this is gone'));
  return (next) => {
    work = next;
  };
}
