/** What the witness has cosigned and found, in one file that is replaced whole, one change after the other. */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** The last tree that was cosigned; `note` is its checkpoint with the log's signature and the witness's own. */
export type Cosigned = { size: number; root: string; note?: string };
/** Something that an honest log does not do, found at `at` (ISO 8601). */
export type Fault = { at: string; what: string };
export type State = { cosigned: Cosigned | null; faults: Fault[] };

const KEPT_FAULTS = 100;

export type StateFile = {
  read: () => State;
  /** Durable when it resolves. */
  remember: (cosigned: Cosigned) => Promise<void>;
  report: (what: string) => Promise<void>;
};

/** Opens the file of a log in `folder`. A file that cannot be read is an error, never a fresh start. */
export async function openState(folder: string): Promise<StateFile> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, 'witness.json');
  let state: State = await readFile(path, 'utf8').then(
    (text) => JSON.parse(text) as State,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      return { cosigned: null, faults: [] };
    },
  );
  await removeDrafts(folder);
  async function save(next: State): Promise<void> {
    // A name of its own: a second process on this folder must not write into the same draft.
    const draft = `${path}.${randomUUID()}.new`;
    try {
      const file = await open(draft, 'wx', 0o600);
      try {
        await file.writeFile(JSON.stringify(next));
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(draft, path);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
    const dir = await open(folder);
    await dir.sync().finally(() => dir.close());
    state = next;
  }
  let turn: Promise<unknown> = Promise.resolve();
  /** Each change stands on the one before: an audit's finding must not write over a size that was just cosigned. */
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

/** What a killed process had not finished writing. */
async function removeDrafts(folder: string): Promise<void> {
  const drafts = (await readdir(folder)).filter((name) => name.endsWith('.new'));
  await Promise.all(drafts.map((name) => rm(join(folder, name), { force: true })));
}
