/**
 * This device's checks of the log for keys that the person did not add (docs/adr/0082): when they run, and
 * their results.
 */
import { logRoutes } from '@karaar/contracts/documents/log';
import { signingKeysRoutes } from '@karaar/contracts/documents/signing-keys';
import { fromBase64, fromBase64url } from '@karaar/proof/bytes';
import { enrolledKey } from '@karaar/proof/approval/enrolled-key';
import { keyHash, userTag } from '@karaar/proof/approval/key-entry';
import { keyFindings, type KeyFinding } from '@karaar/proof/approval/key-findings';
import {
  isReadToItsEnd,
  lookAtLog,
  type LogFault,
  type LogSource,
  type Look,
} from '@karaar/proof/approval/key-watch';
import { call } from '../call.ts';
import { serverClock } from '../server-clock.ts';
import { forgetLog, saidOf, saveWatched, say, watchedOf, type Watched } from './store.ts';

export { onWatched } from './store.ts';
export type { KeyFinding } from '@karaar/proof/approval/key-findings';
export type { LogFault } from '@karaar/proof/approval/key-watch';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The time of failing checks after which the person is warned. */
const OVERDUE_MS = 7 * DAY_MS;
/**
 * Temporary faults: a witness cosigns shortly after the log has grown, and a restart may happen between two
 * requests.
 */
const PASSING: readonly (LogFault | undefined)[] = ['not-witnessed', 'other-key'];
const PASSING_MS = 2_000;
const PASSING_TRIES = 3;
/** Permanent faults: the log's own signatures prove them, and a valid later log does not refute them. */
const LASTING: readonly (LogFault | undefined)[] = ['rewritten', 'other-key'];

/** A finding; `denied` after the person answered that they did not add the key. */
export type WatchFinding = KeyFinding | { kind: 'denied'; keySha256: string; at: string };

export type KeyWatch = {
  findings: readonly WatchFinding[];
  /** A missing cosignature alone raises an alarm only once the check is overdue. */
  fault: LogFault | undefined;
  /** Milliseconds since 1970 of the last check that read the log to its end. */
  checkedAt: number | undefined;
  /** The log was not read to its end for a week. */
  isOverdue: boolean;
  /** The progress of reading; undefined at the end of the log. */
  progress: { read: number; size: number } | undefined;
};

/** Returns the stored result; sends no requests. */
export function keyWatch(userId: string): KeyWatch {
  const tag = userTag(userId);
  const watched = watchedOf(tag);
  const { memory } = watched ?? {};
  const isWhole = memory !== undefined && isReadToItsEnd(memory);
  return {
    findings: findingsOf(tag, watched, isWhole),
    fault: watched?.fault,
    checkedAt: watched?.checkedAt,
    isOverdue: watched !== undefined && watched.triedAt - (watched.checkedAt ?? watched.begunAt) > OVERDUE_MS,
    progress: memory && !isWhole && !watched?.fault ? { read: memory.read, size: memory.size } : undefined,
  };
}

function findingsOf(tag: string, watched: Watched | undefined, isWhole: boolean): WatchFinding[] {
  const { known, removed, denied } = saidOf(tag);
  const changes = watched?.memory?.changes ?? [];
  return keyFindings(changes, new Set(known), watched?.listed ?? [], isWhole).flatMap(
    (finding): WatchFinding[] => {
      const { keySha256 } = finding;
      if (finding.kind === 'unlisted' && removed.includes(keySha256)) return [];
      const isDenied = finding.kind === 'unknown' && denied.includes(keySha256);
      return [isDenied ? { kind: 'denied', keySha256, at: finding.at } : finding];
    },
  );
}

/** Returns true if the profile shows a warning that needs the person's answer. */
export function hasAlarm(userId: string): boolean {
  const { findings, fault, isOverdue } = keyWatch(userId);
  const isFault = fault !== undefined && fault !== 'not-witnessed';
  return isFault || isOverdue || findings.some(({ kind }) => kind !== 'denied');
}

/** Returns true once a day, and an hour after the log could not be read. */
export function isLookDue(userId: string): boolean {
  const watched = watchedOf(userTag(userId));
  if (!watched) return true;
  const since = serverClock.now() - watched.triedAt;
  if (since >= 0 && since < HOUR_MS) return isUnfinished(watched);
  const sinceWhole = serverClock.now() - (watched.checkedAt ?? 0);
  // The difference is negative after the clock was set back.
  return sinceWhole < 0 || sinceWhole >= DAY_MS;
}

const isUnfinished = ({ memory, fault }: Watched): boolean =>
  memory !== undefined && !fault && !isReadToItsEnd(memory);

/**
 * Continues reading the log and lists the user's keys.
 * @throws ApiError, RangeError if either cannot be read
 */
export async function lookForKeys(userId: string): Promise<void> {
  const tag = userTag(userId);
  const before = watchedOf(tag);
  const now = serverClock.now();
  const tried: Watched = { begunAt: now, listed: [], ...before, triedAt: now };
  saveWatched(tag, tried);
  // Listed before the log is read, so that each key listed as logged is in that tree.
  const keys = await call(signingKeysRoutes.signingKeys);
  const listed = keys.map(({ sha256, logged }) => ({ sha256, logged }));
  const lasting = LASTING.includes(before?.fault) ? before?.fault : undefined;
  const look = lasting ? undefined : await patientLook(tag, before);
  const memory = look?.memory ?? before?.memory;
  const fault = lasting ?? look?.fault;
  const { checkedAt, begunAt } = tried;
  const isWhole = memory !== undefined && !fault && isReadToItsEnd(memory);
  const at = isWhole ? now : checkedAt;
  saveWatched(tag, {
    begunAt,
    triedAt: now,
    listed,
    ...(at === undefined ? {} : { checkedAt: at }),
    ...(memory ? { memory } : {}),
    ...(fault ? { fault } : {}),
  });
}

async function patientLook(tag: string, before: Watched | undefined): Promise<Look> {
  for (let tries = 1; ; tries += 1) {
    const look = await lookAtLog(served, tag, before?.memory);
    if (!PASSING.includes(look.fault) || tries === PASSING_TRIES) return look;
    await new Promise((resolve) => setTimeout(resolve, PASSING_MS));
  }
}

/** The contracts have no tile routes, because the number of path segments grows with the log. */
const tileRoute = (path: string) =>
  ({ method: 'GET', path: `/log/tile/${path}`, access: 'public', response: { 200: 'binary' } }) as const;

const served: LogSource = {
  keys: () => call(logRoutes.logKeys),
  checkpoint: async () => (await call(logRoutes.logCheckpoint)).text(),
  bundle: async (path) => new Uint8Array(await (await call(tileRoute(path))).arrayBuffer()),
  consistency: async (first, second) =>
    (await call(logRoutes.logConsistency, { query: { first, second } })).hashes.map(fromBase64),
};

/**
 * Returns the SHA-256 of the key in a new passkey's authenticator data (base64url); undefined if it cannot be
 * read.
 */
export function newKeyHash(authenticatorData: string | undefined): string | undefined {
  if (authenticatorData === undefined) return undefined;
  try {
    return keyHash(enrolledKey(fromBase64url(authenticatorData)));
  } catch (error) {
    // The service refuses such a key as well.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Records that the person added this key on this device, or confirmed it. */
export const knowKey = (userId: string, keySha256: string): void => say(userTag(userId), 'known', keySha256);
/** Records that the person removed this key on this device. */
export const dropKey = (userId: string, keySha256: string): void =>
  say(userTag(userId), 'removed', keySha256);
/** Records that the person did not add this key. */
export const denyKey = (userId: string, keySha256: string): void => say(userTag(userId), 'denied', keySha256);
/** Trusts the present log, and reads it from the beginning at the next check. */
export const restartWatch = (userId: string): void => forgetLog(userTag(userId));
