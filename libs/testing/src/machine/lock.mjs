import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isAlive, processIdentity } from './liveness.mjs';

/**
 * Takes a lock for this process; it becomes void when the process ends in any way.
 *
 * @param {string} file
 * @param {Record<string, unknown>} about returned to processes that find the lock taken
 * @returns {{ taken: true, release: () => void } | { taken: false, holder: Record<string, unknown> }}
 */
export function takeLock(file, about = {}) {
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  const mine = JSON.stringify({ ...about, pid: process.pid, identity: processIdentity(process.pid) });
  writeFileSync(draft, mine);
  try {
    for (;;) {
      // A link appears complete or not at all, and only one of two contenders creates it.
      if (linked(draft, file)) return { taken: true, release: () => release(file, mine) };
      const found = readText(file);
      if (found === undefined) continue;
      const holder = parse(found);
      if (holder !== undefined && isAlive(holder.pid, holder.identity)) return { taken: false, holder };
      removeStale(file, found);
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Waits until the lock is free, and takes it. @returns a function that releases it */
export async function waitForLock(file) {
  for (;;) {
    const lock = takeLock(file);
    if (lock.taken) return lock.release;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Removes the stale lock, but not a new one that has replaced it meanwhile. */
function removeStale(file, found) {
  const aside = `${file}.stale.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  if (readText(aside) !== found) linked(aside, file);
  rmSync(aside, { force: true });
}

function release(file, mine) {
  if (readText(file) === mine) rmSync(file, { force: true });
}

function linked(from, to) {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function readText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // not ours or damaged: the lock is void
  }
}
