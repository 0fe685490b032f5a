/** The monitor's state file. */
import { readState } from '@karaar/base/state-file';

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
};

const firstState = (log: string): State => ({
  log,
  size: 0,
  root: '',
  checkpoint: '',
  subtrees: [],
  audited_at: new Date().toISOString(),
});

/**
 * Returns the stored state of this log, or a first one without a file.
 * @throws Error for a file of another log and for an unreadable one: to forget earlier checkpoints would help
 *   a log that shows two histories
 */
export async function stateOf(log: string, path: string): Promise<State> {
  const state = await readState<State>(path);
  if (state && state.log !== log) throw new Error(`${path} is of another log than the policy's`);
  return state ?? firstState(log);
}
