/**
 * Checks a sealed PDF as a stranger does: the seal by its cryptography, and its place in the log. Each check
 * that applies is listed with what was found; the file is what it claims only when all hold.
 */
import { equal, fromBase64, fromHex } from './bytes.ts';
import { allowsUsage, chainTo, DIGITAL_SIGNATURE, NON_REPUDIATION, type Certificate } from './certificate.ts';
import { readSignature, type SignedData } from './cms.ts';
import { leafData } from './leaf.ts';
import { leafHash, verifyInclusion } from './merkle.ts';
import { parseCheckpoint, parseKey, parseNote, verifyCosignature, verifyNote, type NoteKey } from './note.ts';
import { readSeal, type FileBytes, type Seal } from './sealed-file.ts';
import { verifyTimestamp } from './timestamp.ts';

export type CheckName =
  'file' | 'coverage' | 'signature' | 'certificate' | 'timestamp' | 'logged' | 'checkpoint' | 'cosigned';
export type Check = { name: CheckName; ok: boolean; detail: string };

/** Whom the checker believes. */
export type Trust = {
  /** Certificates with which Karaar sealed; nobody else's seal counts. */
  sealers: readonly Certificate[];
  roots: readonly Certificate[];
  timestampRoots: readonly Certificate[];
};

/** A place in the log as its proof states it (`GET /documents/{id}/log-proof`). */
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
export type LogTrust = { log: NoteKey; witnesses: readonly NoteKey[] };

export type SealFinding = {
  checks: Check[];
  /** What the seal says; only when all checks hold. */
  seal?: {
    signer: string;
    fingerprint: string;
    statedTime: Date;
    timestamp?: { time: Date; authority: string };
  };
};

const TIMESTAMP_TOKEN = '1.2.840.113549.1.9.16.2.14';
const DATA = '1.2.840.113549.1.7.1';

const PROBLEMS = {
  'not a PDF': 'This is not a PDF.',
  'not sealed': 'This PDF carries no seal of Karaar.',
  damaged: 'This PDF is damaged; its seal cannot be read.',
} as const;

/** The seal alone: what can be found out from the file and the trusted certificates. */
export async function checkSeal(file: FileBytes, trust: Trust): Promise<SealFinding> {
  const checks: Check[] = [];
  const add = (name: CheckName, ok: boolean, detail: string): boolean => {
    checks.push({ name, ok, detail });
    return ok;
  };
  const reading = await readSeal(file);
  if ('problem' in reading) {
    if (reading.problem !== 'changed after sealing') {
      add('file', false, PROBLEMS[reading.problem]);
    } else {
      add('file', true, 'This is a PDF that Karaar has sealed, or that looks like one.');
      add(
        'coverage',
        false,
        'Something was added or changed after sealing: the seal does not cover the whole file.',
      );
    }
    return { checks };
  }
  const { seal } = reading;
  add('file', true, 'This is a PDF in the form in which Karaar seals.');
  add('coverage', true, 'The seal covers the whole file and allows no change.');
  const signed = tryRead(seal);
  if (!signed) {
    add('signature', false, 'The seal’s signature cannot be read.');
    return { checks };
  }
  const { signer } = signed;
  const result = await verified(signed, seal);
  add(
    'signature',
    result.signature,
    result.signature ? 'Not a single byte differs from what was sealed.' : 'The file is not what was sealed.',
  );
  const timestamp = await timestampCheck(signed, trust, add);
  const at = timestamp?.time ?? seal.statedTime;
  const why = result.boundToCertificate
    ? await certificateFault(signed, trust, at)
    : 'the seal names another one';
  add(
    'certificate',
    why === '',
    why === ''
      ? `Sealed by ${signer.commonName}, whose certificate was valid then and leads to a root that we trust.`
      : `The certificate of ${signer.commonName || 'the signer'} does not hold: ${why}.`,
  );
  if (!checks.every(({ ok }) => ok)) return { checks };
  const { fingerprint, commonName } = signer;
  return {
    checks,
    seal: {
      signer: commonName,
      fingerprint,
      statedTime: seal.statedTime,
      ...(timestamp ? { timestamp } : {}),
    },
  };
}

function tryRead(seal: Seal): SignedData | undefined {
  try {
    return readSignature(seal.cms);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

async function verified(signed: SignedData, seal: Seal) {
  try {
    const result = await signed.verify(seal.contentDigest);
    const detached = signed.contentType === DATA && signed.content === undefined;
    return { ...result, signature: result.signature && detached };
  } catch (error) {
    if (error instanceof RangeError) return { signature: false, boundToCertificate: false };
    throw error;
  }
}

/** Why the certificate is not one of Karaar's that was valid then; '' when it is. */
async function certificateFault(signed: SignedData, trust: Trust, at: Date): Promise<string> {
  const { signer, certificates } = signed;
  if (!trust.sealers.some(({ fingerprint }) => fingerprint === signer.fingerprint)) {
    return 'it is not one of Karaar’s';
  }
  if (!allowsUsage(signer, DIGITAL_SIGNATURE) && !allowsUsage(signer, NON_REPUDIATION)) {
    return 'it is not one for signing';
  }
  const chain = await chainTo(signer, { roots: trust.roots, others: certificates, at });
  if (!chain) return 'it was not valid then, or leads to no root that we trust';
  const used = new Set(chain.map(({ fingerprint }) => fingerprint));
  if (certificates.length > used.size || certificates.some(({ fingerprint }) => !used.has(fingerprint))) {
    return 'others were put beside it';
  }
  return '';
}

async function timestampCheck(
  signed: SignedData,
  trust: Trust,
  add: (name: CheckName, ok: boolean, detail: string) => boolean,
): Promise<{ time: Date; authority: string } | undefined> {
  const token = signed.unsigned.get(TIMESTAMP_TOKEN);
  if (signed.unsigned.size > (token ? 1 : 0)) {
    add('timestamp', false, 'Something unknown was put beside the seal.');
    return undefined;
  }
  if (!token) return undefined;
  try {
    const { ok, time, authority, why } = await verifyTimestamp(token, signed.signature, trust.timestampRoots);
    const detail = ok
      ? `${authority} attests that the seal existed at ${time.toISOString()}.`
      : `The timestamp does not hold: ${why}.`;
    return add('timestamp', ok, detail) ? { time, authority } : undefined;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    add('timestamp', false, 'The timestamp cannot be read.');
    return undefined;
  }
}

export type LogFinding = { checks: Check[]; cosignedAt: { witness: string; time: Date }[] };

/** The place in the log that a proof states, for a file with this SHA-256 (bytes). */
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
  const signed = origin === trust.log.name && verifyNote(note, trust.log);
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
        ? `The log ${origin} has signed its ${size} entries.`
        : 'The log’s signature does not hold.',
    },
  ];
  const cosignedAt = trust.witnesses.flatMap((witness) => {
    const time = verifyCosignature(note, witness);
    return time === undefined ? [] : [{ witness: witness.name, time: new Date(time * 1000) }];
  });
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
  return { checks, cosignedAt };
}

export type DocumentFinding = {
  /** Every check that applies holds. */
  valid: boolean;
  checks: Check[];
  seal: SealFinding['seal'] | null;
  /** Where it stands in the log; null unless that holds. */
  log: {
    origin: string;
    code: string;
    index: number;
    size: number;
    cosignedAt: LogFinding['cosignedAt'];
  } | null;
};

/** The whole: seal, hash and place in the log. `place` is the proof for exactly this file, if there is one. */
export async function checkDocument(
  file: FileBytes,
  given: {
    sha256: Uint8Array;
    trust: Trust;
    place: StatedPlace | undefined;
    keys: { log: string; witnesses: readonly string[] };
  },
): Promise<DocumentFinding> {
  const { seal, checks: sealChecks } = await checkSeal(file, given.trust);
  const keys = logTrust(given.keys);
  const found = checkPlace(given.place, given.sha256, keys);
  const sameTime = !seal || !given.place || seal.statedTime.toISOString() === given.place.sealed_at;
  const logChecks = sameTime
    ? found.checks
    : found.checks.map((check) =>
        check.name === 'logged'
          ? { ...check, ok: false, detail: 'The log has another time of sealing.' }
          : check,
      );
  const checks = [...sealChecks, ...logChecks];
  const inLog = logChecks.every(({ ok }) => ok);
  return {
    valid: checks.every(({ ok }) => ok),
    checks,
    seal: seal ?? null,
    log:
      inLog && given.place
        ? {
            origin: keys.log.name,
            code: given.place.document_code,
            index: given.place.leaf_index,
            size: given.place.tree_size,
            cosignedAt: found.cosignedAt,
          }
        : null,
  };
}

/** The keys of a proof, read; throws RangeError for malformed ones. */
export const logTrust = (keys: { log: string; witnesses: readonly string[] }): LogTrust => ({
  log: parseKey(keys.log),
  witnesses: keys.witnesses.map(parseKey),
});

/** Does a proof hold for the document that it names? For the badge, which has the proof and no file. */
export function placeHolds(place: StatedPlace, keys: { log: string; witnesses: readonly string[] }): boolean {
  try {
    return checkPlace(place, fromHex(place.sha256), logTrust(keys)).checks.every(({ ok }) => ok);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
