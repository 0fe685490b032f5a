/** A program's state in one JSON file, which is replaced atomically. */
import { randomUUID } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Returns the stored state, or undefined without a file. @throws Error for a file that cannot be read */
export async function readState<T>(path: string): Promise<T | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return text === undefined ? undefined : (JSON.parse(text) as T);
}

/** Replaces the file; durable when it resolves. A killed process leaves a draft, whose name ends with `.new`. */
export async function writeState(path: string, state: unknown): Promise<void> {
  // A unique name, because a second process must not write the same draft.
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
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
