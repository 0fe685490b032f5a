/**
 * The witness's record of its last cosignature and of faults: one file, replaced atomically, one change at a
 * time.
 */
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readState, writeState } from '@karaar/base/state-file';

/** The last cosigned tree. `note` is its checkpoint with the signatures of the log and the witness. */
export type Cosigned = { size: number; root: string; note?: string };
/** Misbehaviour of the log, found at `at` (ISO 8601). */
export type Fault = { at: string; what: string };
export type State = { cosigned: Cosigned | null; faults: Fault[] };

const KEPT_FAULTS = 100;

export type StateFile = {
  read: () => State;
  /** The change is durable when the promise resolves. */
  remember: (cosigned: Cosigned) => Promise<void>;
  report: (what: string) => Promise<void>;
};

/** Opens the record in `folder`. Throws if the file exists and cannot be read, instead of starting over. */
export async function openState(folder: string): Promise<StateFile> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, 'witness.json');
  let state = (await readState<State>(path)) ?? { cosigned: null, faults: [] };
  await removeDrafts(folder);
  async function save(next: State): Promise<void> {
    await writeState(path, next);
    state = next;
  }
  let turn: Promise<unknown> = Promise.resolve();
  /** Serializes changes, so that an audit's finding does not overwrite a new cosignature. */
  const change = (next: (before: State) => State): Promise<void> => {
    const done = turn.then(() => save(next(state)));
    turn = done.catch(() => undefined);
    return done;
  };
  return {
    read: () => state,
    remember: (cosigned) => change((before) => ({ ...before, cosigned })),
    report: (what) =>
      change((before) => ({
        ...before,
        faults: [...before.faults, { at: new Date().toISOString(), what }].slice(-KEPT_FAULTS),
      })),
  };
}

/** Removes drafts of a killed process. */
async function removeDrafts(folder: string): Promise<void> {
  const drafts = (await readdir(folder)).filter((name) => name.endsWith('.new'));
  await Promise.all(drafts.map((name) => rm(join(folder, name), { force: true })));
}
