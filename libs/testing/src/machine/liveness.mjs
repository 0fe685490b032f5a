// Plain JavaScript: bootstrap.mjs runs it on the host's Node, before Node 24 is installed.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Returns the identity of a running process: its id with its start time, so that another process that later
 * gets the same id is not mistaken for it.
 *
 * @param {number} pid
 * @returns {string | undefined} equal only for the same process; undefined if it is gone (a zombie, which
 * runs no code any more, counts as gone)
 */
export function processIdentity(pid) {
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return process.platform === 'linux' ? linuxIdentity(pid) : portableIdentity(pid);
}

/** Returns true while the process with this identity runs. */
export function isAlive(pid, identity) {
  return identity !== undefined && processIdentity(pid) === identity;
}

/** Waits until the process is gone; returns false if it still runs after `timeoutMs`. */
export async function waitGone(pid, identity, timeoutMs) {
  const deadline = Date.now() + timeoutMs;
  while (isAlive(pid, identity)) {
    if (Date.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return true;
}

/** Sends a signal; a process that is already gone is not an error. Negative ids address a process group. */
export function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/** Returns the command line of a process, or undefined if it is gone. */
export function commandLine(pid) {
  return process.platform === 'linux'
    ? readIfThere(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ').trim()
    : ps(pid, 'command=');
}

/** Returns the parent's id of a process, or undefined if it is gone. */
export function parentOf(pid) {
  const text = process.platform === 'linux' ? linuxStat(pid)?.[1] : ps(pid, 'ppid=');
  return text === undefined ? undefined : Number(text);
}

/** Fields of /proc/PID/stat from the third on (state, parent, …). */
function linuxStat(pid) {
  const stat = readIfThere(`/proc/${pid}/stat`);
  // The second field is the command in parentheses and may contain spaces: count from the last parenthesis.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function linuxIdentity(pid) {
  const fields = linuxStat(pid);
  if (fields === undefined) return undefined;
  const [state, startTicks] = [fields[0], fields[19]];
  if (state === 'Z' || state === 'X') return undefined;
  // Ticks count from boot, so the boot id is part of the identity.
  return `${pid}@${startTicks}@${readIfThere('/proc/sys/kernel/random/boot_id')?.trim() ?? ''}`;
}

function portableIdentity(pid) {
  const started = ps(pid, 'stat=,lstart=');
  return started === undefined || started.startsWith('Z')
    ? undefined
    : `${pid}@${started.replace(/^\S+\s+/, '')}`;
}

function ps(pid, columns) {
  const args = [...columns.split(',').flatMap((column) => ['-o', column]), '-p', String(pid)];
  try {
    return execFileSync('ps', args, { encoding: 'utf8', stdio: 'pipe' }).trim() || undefined;
  } catch {
    return undefined; // ps exits 1 for a missing process
  }
}

function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined; // /proc entries vanish with their process, between any two calls
  }
}
