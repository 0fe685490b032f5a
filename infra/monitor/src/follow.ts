import { setTimeout as sleep } from 'node:timers/promises';
import { writeState } from '@karaar/base/state-file';
import { formatKey, type NoteKey } from '@karaar/proof/log/note';
import { isFault, type Alert } from './alerts.ts';
import { look, type Watch } from './look.ts';
import { stateOf } from './state.ts';

export const EXIT = { clean: 0, failed: 1, fault: 2, interest: 3, notVerified: 4 } as const;

/**
 * Checks the log until its first fault and returns the exit code.
 * @throws Error for the state of another log
 */
export async function follow(options: {
  watch: Watch;
  log: NoteKey;
  statePath: string;
  everyMs: number;
  once: boolean;
  tell: (alert: Alert) => void;
}): Promise<number> {
  const { watch, statePath, once, tell } = options;
  let state = await stateOf(formatKey(options.log), statePath);
  for (;;) {
    const found = await look(watch, state);
    ({ state } = found);
    await writeState(statePath, state);
    for (const alert of found.alerts) tell(alert);
    if (found.alerts.some(isFault)) return EXIT.fault;
    if (once) return codeOf(found.alerts);
    await sleep(options.everyMs);
  }
}

function codeOf(alerts: readonly Alert[]): number {
  if (alerts.some(({ kind }) => kind === 'key-of-interest')) return EXIT.interest;
  return alerts.length > 0 ? EXIT.notVerified : EXIT.clean;
}
