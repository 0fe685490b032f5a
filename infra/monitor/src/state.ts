/** The monitor's state file, which is replaced atomically. */
import { randomUUID } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Alert } from './alerts.ts';

export type State = {
  /** The log's key as `name+id+key`; the file belongs to this log. */
  log: string;
  /** The last tree that was read to its end and verified; the root in base64. */
  size: number;
  root: string;
  /** Its signed checkpoint; empty before the first check. */
  checkpoint: string;
  /** Its complete subtrees, the largest first, in base64. */
  subtrees: readonly string[];
  /** Time of the last full read, in ISO 8601. */
  audited_at: string;
  alerts: readonly Alert[];
};

const KEPT_ALERTS = 100;

const firstState = (log: string): State => ({
  log,
  size: 0,
  root: '',
  checkpoint: '',
  subtrees: [],
  audited_at: new Date().toISOString(),
  alerts: [],
});

export const withAlerts = (state: State, alerts: readonly Alert[]): State => ({
  ...state,
  alerts: [...state.alerts, ...alerts].slice(-KEPT_ALERTS),
});

/**
 * Returns the stored state of this log, or a first one without a file.
 * @throws Error for a file of another log and for an unreadable one: to forget earlier checkpoints would help
 *   a log that shows two histories
 */
export async function readState(path: string, log: string): Promise<State> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return firstState(log);
  const state = JSON.parse(text) as State;
  if (state.log !== log) throw new Error(`${path} is of another log than the policy's`);
  return state;
}

/** Replaces the file; durable when it resolves. */
export async function writeState(path: string, state: State): Promise<void> {
  const draft = `${path}.${randomUUID()}.new`;
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(`${JSON.stringify(state, null, 1)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  const folder = await open(dirname(path));
  await folder.sync().finally(() => folder.close());
}
