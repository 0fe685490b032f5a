/**
 * Blobs as files.
 *
 *   <root>/objects/<owner>/<uuid>    sealed objects
 *   <root>/keys/<owner>/<kek-id>     the owner's wrapped key
 *   <root>/tmp/                      unfinished writes, and erased keys until their removal
 *
 * A file gets its name only when it is complete and on disk: temp file, fsync, rename, fsync of the directory.
 * A key is a directory, so that its creation and its erasure are one rename each. Replacing a wrapped key cannot
 * restore an erased one, because the directory for the new record is gone.
 */
import { randomUUID } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { link, mkdir, open, readFile, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { BlobBackend, KeyBackend, Span } from './backend.ts';
import { BlobError } from '../errors.ts';

const PRIVATE_DIR = 0o700;
const PRIVATE_FILE = 0o600;

function hasCode(error: unknown, ...codes: string[]): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && codes.includes(String(error.code));
}

async function makeDir(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: PRIVATE_DIR });
}

/** A rename or link is durable only after an fsync of its directory. */
async function syncDir(path: string): Promise<void> {
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function writeDurably(path: string, bytes: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<void> {
  const handle = await open(path, 'wx', PRIVATE_FILE);
  try {
    for await (const piece of bytes) await handle.writeFile(piece);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function namesIn(path: string): Promise<string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

class FsKeys implements KeyBackend {
  readonly #keys: string;
  readonly #tmp: string;

  constructor(keys: string, tmp: string) {
    this.#keys = keys;
    this.#tmp = tmp;
  }

  async read(owner: string): Promise<Buffer[]> {
    const dir = join(this.#keys, owner);
    const records: Buffer[] = [];
    let vanished = false;
    for (const name of await namesIn(dir)) {
      try {
        records.push(await readFile(join(dir, name)));
      } catch (error) {
        if (!hasCode(error, 'ENOENT')) throw error;
        vanished = true;
      }
    }
    // A record that vanished between listing and reading was replaced (read again) or erased (returns an
    // empty list).
    return vanished && records.length === 0 ? this.read(owner) : records;
  }

  async create(owner: string, kekId: string, record: Buffer): Promise<boolean> {
    await makeDir(this.#keys);
    const draft = join(this.#tmp, `key-${randomUUID()}`);
    await makeDir(draft);
    try {
      await writeDurably(join(draft, kekId), [record]);
      await syncDir(draft);
      await rename(draft, join(this.#keys, owner));
    } catch (error) {
      await rm(draft, { recursive: true, force: true });
      if (hasCode(error, 'ENOTEMPTY', 'EEXIST')) return false;
      throw error;
    }
    await syncDir(this.#keys);
    return true;
  }

  async replace(
    owner: string,
    old: { kekId: string; record: Buffer },
    next: { kekId: string; record: Buffer },
  ): Promise<boolean> {
    const dir = join(this.#keys, owner);
    const draft = join(this.#tmp, `key-${randomUUID()}`);
    await makeDir(this.#tmp);
    try {
      await writeDurably(draft, [next.record]);
      await link(draft, join(dir, next.kekId));
      await syncDir(dir);
    } catch (error) {
      // ENOENT: the owner was erased. EEXIST: another process rewrapped the key and crashed or has not yet
      // removed the old record. The new record is on disk, so removing the old one here is safe.
      if (hasCode(error, 'ENOENT')) return false;
      if (!hasCode(error, 'EEXIST')) throw error;
    } finally {
      await rm(draft, { force: true });
    }
    await rm(join(dir, old.kekId), { force: true });
    return true;
  }

  async erase(owner: string): Promise<void> {
    await makeDir(this.#tmp);
    const grave = join(this.#tmp, `erased-${randomUUID()}`);
    try {
      await rename(join(this.#keys, owner), grave);
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return;
      throw error;
    }
    await syncDir(this.#keys);
    await rm(grave, { recursive: true, force: true });
    await syncDir(this.#tmp);
  }

  async *list(): AsyncGenerator<string> {
    yield* await namesIn(this.#keys);
  }
}

class FsBackend implements BlobBackend {
  readonly keys: KeyBackend;
  readonly #objects: string;
  readonly #tmp: string;

  constructor(root: string) {
    this.#objects = join(root, 'objects');
    this.#tmp = join(root, 'tmp');
    this.keys = new FsKeys(join(root, 'keys'), this.#tmp);
  }

  async write(name: string, sealed: AsyncIterable<Buffer>): Promise<void> {
    await makeDir(this.#tmp);
    const temp = join(this.#tmp, `put-${randomUUID()}`);
    const target = join(this.#objects, name);
    try {
      await writeDurably(temp, sealed);
      await makeDir(join(target, '..'));
      await rename(temp, target);
    } catch (error) {
      await rm(temp, { force: true });
      throw error;
    }
    await syncDir(join(target, '..'));
  }

  async read(name: string, span?: Span): Promise<{ stream: Readable; size: number }> {
    const handle = await open(join(this.#objects, name)).catch((error: unknown) => {
      if (hasCode(error, 'ENOENT', 'ENOTDIR')) throw new BlobError('blob_not_found', `No blob ${name}.`);
      throw error;
    });
    try {
      const { size } = await handle.stat();
      // The stream now owns the handle and closes it on end, error and destroy.
      return { stream: handle.createReadStream(span), size };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.#objects, name), { force: true });
  }

  async *list(): AsyncGenerator<{ name: string; storedAt: Date }> {
    for (const owner of await namesIn(this.#objects)) {
      for (const object of await namesIn(join(this.#objects, owner))) {
        const name = `${owner}/${object}`;
        const info = await statOf(join(this.#objects, name));
        if (info) yield { name, storedAt: info.mtime };
      }
    }
  }

  async removeOwner(owner: string): Promise<void> {
    await rm(join(this.#objects, owner), { recursive: true, force: true });
  }

  async sweep(olderThanMs: number): Promise<number> {
    let swept = 0;
    for (const name of await namesIn(this.#tmp)) {
      const path = join(this.#tmp, name);
      const info = await statOf(path);
      if (!info) continue;
      // An erased key is removed at once: the process that renamed it has removed it or crashed.
      if (!name.startsWith('erased-') && Date.now() - info.mtimeMs < olderThanMs) continue;
      await rm(path, { recursive: true, force: true });
      swept += 1;
    }
    return swept;
  }
}

/**
 * Stores blobs below the directory `root`, which is created if missing. All processes of a service share it.
 */
export function createFsBackend(root: string): BlobBackend {
  return new FsBackend(root);
}
