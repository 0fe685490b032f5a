import { readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/**
 * Lets all others have the processor first while a process starts, and gives it what they have once it is ready. In a
 * cluster a new pod starts on processors of its own; on one machine it would take those of the processes that answer.
 *
 * @param pid of a process that has just been started
 * @returns what ends the waiting: to be called when it is ready. A user who may not raise a priority leaves it as it is.
 */
export function startBehindOthers(pid: number): () => void {
  setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  return () => {
    for (const thread of threadsOf(pid)) {
      try {
        setPriority(thread, constants.priority.PRIORITY_NORMAL);
      } catch (error) {
        const { info } = error as { info?: { code?: string } };
        // Gone meanwhile, or not ours to raise.
        if (!['ESRCH', 'EACCES', 'EPERM'].includes(info?.code ?? '')) throw error;
      }
    }
  };
}

/** Linux keeps a priority for each thread; elsewhere the process has one. */
function threadsOf(pid: number): number[] {
  if (process.platform !== 'linux') return [pid];
  return readdirSync(`/proc/${pid}/task`).map(Number);
}
