/** Checks a document's place in the transparency log, without trusting Karaar. */
import { equal, fromBase64, fromHex } from '../bytes.ts';
import type { Check } from './check-result.ts';
import { leafData } from '../log/leaf.ts';
import { leafHash, verifyInclusion } from '../log/merkle.ts';
import {
  parseCheckpoint,
  parseKey,
  parseNote,
  verifyCosignature,
  verifyNote,
  type NoteKey,
} from '../log/note.ts';
import { restartsBefore, type Restart } from '../log/restart.ts';

/** A place in the log, as its proof states it (`GET /documents/{id}/log-proof`). */
export type StatedPlace = {
  document_code: string;
  sha256: string;
  sealed_at: string;
  salt: string;
  leaf_index: number;
  tree_size: number;
  inclusion: readonly string[];
  checkpoint: string;
};
/** `restarts` lead to `log`, newest first. */
export type LogTrust = { log: NoteKey; witnesses: readonly NoteKey[]; restarts?: readonly Restart[] };
/** The keys as text, as a log publishes them. Proofs from before a log's first restart have no `restarts`. */
export type LogKeyTexts = { log: string; witnesses: readonly string[]; restarts?: readonly string[] };

export type LogFinding = {
  checks: Check[];
  cosignedAt: { witness: string; time: Date }[];
  /** The name of the log that signed; undefined without a readable proof. */
  origin?: string;
};

/** Checks the place that a proof states for a file with this SHA-256 (bytes). */
export function checkPlace(place: StatedPlace | undefined, sha256: Uint8Array, trust: LogTrust): LogFinding {
  const missing: LogFinding = {
    checks: [{ name: 'logged', ok: false, detail: 'This file is not in the transparency log.' }],
    cosignedAt: [],
  };
  if (!place) return missing;
  try {
    return checkStatedPlace(place, sha256, trust);
  } catch (error) {
    if (error instanceof RangeError) return missing;
    throw error;
  }
}

function checkStatedPlace(place: StatedPlace, sha256: Uint8Array, trust: LogTrust): LogFinding {
  const note = parseNote(place.checkpoint);
  const { origin, size, root } = parseCheckpoint(note.body);
  const { signer, cut } = signerOf(origin, trust);
  const cosignedAt = trust.witnesses.flatMap((witness) => {
    const time = verifyCosignature(note, witness);
    return time === undefined ? [] : [{ witness: witness.name, time: new Date(time * 1000) }];
  });
  const kept = cut === undefined || place.leaf_index < cut;
  // A restart must not allow the operator to disown an entry that a witness has seen.
  const signed = origin === signer.name && verifyNote(note, signer) && (kept || cosignedAt.length > 0);
  const fact = { code: place.document_code, sha256: place.sha256, sealedAt: place.sealed_at };
  const included =
    equal(fromHex(place.sha256), sha256) &&
    place.tree_size === size &&
    verifyInclusion({
      index: place.leaf_index,
      size,
      leaf: leafHash(leafData(fromBase64(place.salt), fact)),
      proof: place.inclusion.map(fromBase64),
      root,
    });
  const checks: Check[] = [
    {
      name: 'logged',
      ok: included,
      detail: included
        ? `This file is entry ${place.leaf_index} of the ${size} in the transparency log.`
        : 'The log’s proof is not one for this file.',
    },
    {
      name: 'checkpoint',
      ok: signed,
      detail: signed
        ? `The log ${origin} has signed its ${size} entries.${restartWords(trust, cut, kept)}`
        : 'The log’s signature does not hold.',
    },
  ];
  const claimed = trust.witnesses.some(({ name }) => note.signatures.some((one) => one.name === name));
  const [first] = cosignedAt;
  if (first) {
    const who = cosignedAt.map(({ witness }) => witness).join(', ');
    checks.push({
      name: 'cosigned',
      ok: true,
      detail: `Seen unchanged by ${who} at ${first.time.toISOString()}.`,
    });
  } else if (claimed) {
    checks.push({ name: 'cosigned', ok: false, detail: 'The witness’s signature does not hold.' });
  }
  return { checks, cosignedAt, origin };
}

/**
 * Returns the key that must have signed for a log of this name, and the entry from which the current log
 * differs.
 */
function signerOf(origin: string, { log, restarts = [] }: LogTrust): { signer: NoteKey; cut?: number } {
  const at = origin === log.name ? -1 : restarts.findIndex(({ old }) => old.name === origin);
  const restart = restarts[at];
  if (!restart) return { signer: log };
  return { signer: restart.old, cut: Math.min(...restarts.slice(0, at + 1).map((one) => one.cut.size)) };
}

function restartWords({ log }: LogTrust, cut: number | undefined, kept: boolean): string {
  if (cut === undefined) return '';
  const since = ` It goes on as ${log.name} since its entry ${cut}`;
  return kept
    ? `${since}, and this one is in both.`
    : `${since}, which does not have this one; a witness has seen it.`;
}

/**
 * Parses the keys of a proof.
 * @throws RangeError for malformed keys
 */
export function logTrust(keys: LogKeyTexts): LogTrust {
  const log = parseKey(keys.log);
  return {
    log,
    witnesses: keys.witnesses.map(parseKey),
    restarts: restartsBefore(log, keys.restarts ?? []),
  };
}

/**
 * Returns true if a proof is valid for its own document. Used by the badge, which has the proof but not the
 * file.
 */
export function placeHolds(place: StatedPlace, keys: LogKeyTexts): boolean {
  try {
    return checkPlace(place, fromHex(place.sha256), logTrust(keys)).checks.every(({ ok }) => ok);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
