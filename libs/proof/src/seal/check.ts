/**
 * Checks a sealed PDF without trusting Karaar: the seal's cryptography, and its place in the log. Each
 * applicable check is listed with its result; the file is genuine only if all succeed.
 */
import { allowsUsage, chainTo, DIGITAL_SIGNATURE, NON_REPUDIATION, type Certificate } from './certificate.ts';
import { checkPlace, logTrust, type LogFinding, type LogKeyTexts, type StatedPlace } from './check-place.ts';
import type { Check, CheckName } from './check-result.ts';
import { readSignature, type CmsResult, type SignedData } from './cms.ts';
import { isOwnAuthority } from './own-authority.ts';
import { readSeal, type FileBytes, type Seal } from './sealed-file.ts';
import { revocationFault } from './revocation.ts';
import { verifyTimestamp, type Timestamp } from './timestamp.ts';

export {
  checkPlace,
  logTrust,
  placeHolds,
  type LogFinding,
  type LogTrust,
  type StatedPlace,
} from './check-place.ts';

export type Trust = {
  /** Certificates with which Karaar has sealed; other seals do not count. */
  sealers: readonly Certificate[];
  roots: readonly Certificate[];
  timestampRoots: readonly Certificate[];
};

export type SealFinding = {
  checks: Check[];
  /** True if the file does not claim to have a seal of Karaar: it is another file, not a forgery. */
  unsealed?: boolean;
  /** The seal's data; only if all checks succeed. */
  seal?: {
    signer: string;
    fingerprint: string;
    statedTime: Date;
    /** True if the installation's own authority issued the certificate, so that PDF readers do not know it. */
    ownAuthority: boolean;
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

/** Checks the seal alone, from the file and the trusted certificates. */
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
      return { checks, unsealed: reading.problem !== 'damaged' };
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
  add('file', true, 'This PDF has the format in which Karaar seals.');
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
    result.signature
      ? 'Not a single byte has changed since it was sealed.'
      : 'The file is not what was sealed.',
  );
  const timestamp = await timestampCheck(signed, trust, add);
  const at = timestamp?.time ?? seal.statedTime;
  const { why, chain } = result.boundToCertificate
    ? await certificateChain(signed, result, { trust, at })
    : { why: 'the seal names another one', chain: [] };
  add(
    'certificate',
    why === '',
    why === ''
      ? `Sealed by ${signer.commonName}, whose certificate was valid then and leads to a root that we trust.`
      : `The certificate of ${signer.commonName || 'the signer'} does not hold: ${why}.`,
  );
  // Read only if the seal is valid, so that the data cannot come from another person.
  if (seal.validation && checks.every(({ ok }) => ok)) {
    const given = { values: seal.validation, at };
    const fault =
      (await revocationFault(chain, given)) || (await revocationFault(timestamp?.chain ?? [], given));
    add(
      'revocation',
      fault === '',
      fault === '' ? 'No certificate behind the seal had been revoked when it was sealed.' : `Then ${fault}.`,
    );
  }
  if (!checks.every(({ ok }) => ok)) return { checks };
  const { fingerprint, commonName } = signer;
  return {
    checks,
    seal: {
      signer: commonName,
      fingerprint,
      statedTime: seal.statedTime,
      ownAuthority: isOwnAuthority(chain.at(-1)?.commonName ?? ''),
      ...(timestamp ? { timestamp: { time: timestamp.time, authority: timestamp.authority } } : {}),
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

async function verified(signed: SignedData, seal: Seal): Promise<CmsResult> {
  try {
    const result = await signed.verify(seal.contentDigest);
    const detached = signed.contentType === DATA && signed.content === undefined;
    return { ...result, signature: result.signature && detached };
  } catch (error) {
    if (error instanceof RangeError)
      return { signature: false, boundToCertificate: false, allows: () => false };
    throw error;
  }
}

/**
 * Returns the chain from the signer's certificate to a root. `why` is the reason if it was not a valid
 * certificate of Karaar then, otherwise ''.
 */
async function certificateChain(
  signed: SignedData,
  { allows }: CmsResult,
  { trust, at }: { trust: Trust; at: Date },
): Promise<{ why: string; chain: readonly Certificate[] }> {
  const { signer, certificates } = signed;
  const not = (why: string) => ({ why, chain: [] });
  if (!trust.sealers.some(({ fingerprint }) => fingerprint === signer.fingerprint)) {
    return not('it is not one of Karaar’s');
  }
  if (!allowsUsage(signer, DIGITAL_SIGNATURE) && !allowsUsage(signer, NON_REPUDIATION)) {
    return not('it is not one for signing');
  }
  const chain = await chainTo(signer, { roots: trust.roots, others: certificates, at });
  if (!chain) return not('it was not valid then, or leads to no root that we trust');
  const used = new Set(chain.map(({ fingerprint }) => fingerprint));
  if (certificates.length > used.size || certificates.some(({ fingerprint }) => !used.has(fingerprint))) {
    return not('others were put beside it');
  }
  if (!allows(chain)) return not('the seal names others');
  return { why: '', chain };
}

async function timestampCheck(
  signed: SignedData,
  trust: Trust,
  add: (name: CheckName, ok: boolean, detail: string) => boolean,
): Promise<Timestamp | undefined> {
  const token = signed.unsigned.get(TIMESTAMP_TOKEN);
  if (signed.unsigned.size > (token ? 1 : 0)) {
    add('timestamp', false, 'Something unknown was put beside the seal.');
    return undefined;
  }
  if (!token) return undefined;
  try {
    const timestamp = await verifyTimestamp(token, signed.signature, trust.timestampRoots);
    const { ok, time, authority, why } = timestamp;
    const detail = ok
      ? `${authority} attests that the seal existed at ${time.toISOString()}.`
      : `The timestamp does not hold: ${why}.`;
    return add('timestamp', ok, detail) ? timestamp : undefined;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    add('timestamp', false, 'The timestamp cannot be read.');
    return undefined;
  }
}

export type DocumentFinding = {
  valid: boolean;
  checks: Check[];
  unsealed: boolean;
  seal: SealFinding['seal'] | null;
  log: {
    origin: string;
    code: string;
    index: number;
    size: number;
    cosignedAt: LogFinding['cosignedAt'];
  } | null;
};

/**
 * Checks seal, hash and place in the log.
 * @param given.place the proof for exactly this file, if there is one
 */
export async function checkDocument(
  file: FileBytes,
  given: {
    sha256: Uint8Array;
    trust: Trust;
    place: StatedPlace | undefined;
    keys: LogKeyTexts;
  },
): Promise<DocumentFinding> {
  const { seal, checks: sealChecks, unsealed = false } = await checkSeal(file, given.trust);
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
    unsealed,
    seal: seal ?? null,
    log:
      inLog && given.place
        ? {
            origin: found.origin ?? keys.log.name,
            code: given.place.document_code,
            index: given.place.leaf_index,
            size: given.place.tree_size,
            cosignedAt: found.cosignedAt,
          }
        : null,
  };
}
