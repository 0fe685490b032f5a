/** What the witness has cosigned and found, in one file that is replaced whole. */
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';

/** The last tree that was cosigned. */
export type Cosigned = { size: number; root: string };
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
  async function save(next: State): Promise<void> {
    const file = await open(`${path}.new`, 'w', 0o600);
    try {
      await file.writeFile(JSON.stringify(next));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(`${path}.new`, path);
    const dir = await open(folder);
    await dir.sync().finally(() => dir.close());
    state = next;
  }
  return {
    read: () => state,
    remember: (cosigned) => save({ ...state, cosigned }),
    report: (what) =>
      save({
        ...state,
        faults: [...state.faults, { at: new Date().toISOString(), what }].slice(-KEPT_FAULTS),
      }),
  };
}
