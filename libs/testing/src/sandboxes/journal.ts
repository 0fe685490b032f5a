import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The latest snapshot of an object, by kind and id; null if it was removed. */
export interface JournalEntry {
  kind: string;
  id: string;
  value: unknown;
}

/**
 * Snapshots in an append-only JSON Lines file; the last one of an object counts. Reading the file drops a
 * line that a crash truncated and rewrites the file with one line per object.
 */
export interface Journal {
  restored: JournalEntry[];
  append(entry: JournalEntry): void;
}

function parseLine(line: string): JournalEntry | undefined {
  try {
    return JSON.parse(line) as JournalEntry;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Opens `<dir>/<name>.jsonl`; without a directory nothing is stored. */
export function openJournal(dir: string | undefined, name: string): Journal {
  if (dir === undefined) return { restored: [], append: () => undefined };
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const file = join(dir, `${name}.jsonl`);
  const latest = new Map<string, JournalEntry>();
  for (const entry of readLines(file).map(parseLine))
    if (entry) latest.set(`${entry.kind} ${entry.id}`, entry);
  const restored = [...latest.values()].filter(({ value }) => value !== null);
  writeFileSync(`${file}.new`, restored.map((entry) => `${JSON.stringify(entry)}\n`).join(''), {
    mode: 0o600,
  });
  renameSync(`${file}.new`, file);
  return { restored, append: (entry) => appendFileSync(file, `${JSON.stringify(entry)}\n`) };
}
