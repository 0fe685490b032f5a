import { readFile, stat } from 'node:fs/promises';
import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';

/** A JSON file with a schema; read again after it has changed. */
export class CachedJsonFile<S extends TSchema> {
  readonly #file: string;
  readonly #schema: S;
  #read: { mtimeMs: number; value: Static<S> } | undefined;

  constructor(file: string, schema: S) {
    this.#file = file;
    this.#schema = schema;
  }

  /** Returns null while the file is missing, incomplete or invalid. */
  async read(): Promise<Static<S> | null> {
    const found = await stat(this.#file).catch(() => null);
    if (found === null) return null;
    if (this.#read?.mtimeMs === found.mtimeMs) return this.#read.value;
    const value = parse(await readFile(this.#file, 'utf8'));
    if (!Value.Check(this.#schema, value)) return null;
    this.#read = { mtimeMs: found.mtimeMs, value };
    return value;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
