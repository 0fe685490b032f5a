import type { TimestampAuthority } from '@libpdf/core';
import type { ValidationData } from '@karaar/proof/seal/sealed-file';
import { signDetached } from './cms.ts';
import { SealError } from './errors.ts';
import { type KeySource, openKey, type SealIdentity } from './keys.ts';
import { appendSignature } from './revision.ts';
import { createLongTerm } from './long-term.ts';
import { createTimestamper, type TimestampOptions } from './timestamp.ts';
import { readChain, type ValidationOptions } from './validation.ts';

export { SealError, type SealErrorCode } from './errors.ts';
export { isDevelopmentKey, type KeySource, type SealIdentity } from './keys.ts';

export type SealLevel = 'B-B' | 'B-T' | 'B-LT';

export interface SealedPdf {
  pdf: Uint8Array;
  /** The time in the signature's dictionary, to the second. */
  sealedAt: Date;
  /** PAdES level that was reached. */
  level: SealLevel;
  /** Common name of the sealing certificate. */
  signer: string;
  /** Hex SHA-256 of the sealing certificate. */
  certFingerprint: string;
}

export interface SealerOptions {
  key: KeySource;
  /** RFC 3161 authorities; with none the seal is B-B. */
  tsaUrls?: readonly string[];
  /** Timeouts and retries of the authorities. */
  tsa?: Omit<TimestampOptions, 'urls'>;
  /** How revocation is asked about, for B-LT. */
  validation?: ValidationOptions;
}

export interface Sealer {
  readonly identity: SealIdentity;
  /** The level that `seal` reaches when nothing else is asked: state it in the certificate page. */
  readonly level: SealLevel;
  /**
   * Put one certification signature on a PDF that has none: DocMDP P=1, PAdES. Throws `tsa_unavailable` or
   * `revocation_unavailable` rather than seal at a lower level than asked; to go lower compose the certificate
   * page again with that statement, then ask for that level.
   */
  seal(pdf: Uint8Array, options?: { level?: SealLevel }): Promise<SealedPdf>;
}

const REASON = 'Sealed by Karaar: no change is allowed';

/** Room for the signature with its chain; a timestamp brings the authority's chain as well. */
const RESERVED: Record<SealLevel, number> = { 'B-B': 12_288, 'B-T': 24_576, 'B-LT': 24_576 };

/** Open the key and be ready to seal. Throws `key_invalid`. */
export async function createSealer(options: SealerOptions): Promise<Sealer> {
  const { signer, identity } = await openKey(options.key);
  const urls = options.tsaUrls ?? [];
  const timestamper = urls.length > 0 ? createTimestamper({ ...options.tsa, urls }) : undefined;
  const longTerm =
    timestamper &&
    createLongTerm({
      chain: readChain(identity.chain),
      timestamper,
      roots: options.tsa?.roots ?? [],
      ...(options.validation ? { validation: options.validation } : {}),
    });
  const usual = (): SealLevel => (longTerm?.isPossible() ? 'B-LT' : timestamper ? 'B-T' : 'B-B');

  async function seal(
    bytes: Uint8Array,
    level: SealLevel,
    more: { timestamper?: TimestampAuthority; validation?: ValidationData },
  ): Promise<SealedPdf> {
    const sealedAt = new Date(Math.floor(Date.now() / 1000) * 1000);
    const unsealed = await appendSignature(bytes, {
      reason: REASON,
      at: sealedAt,
      reserved: RESERVED[level],
      ...(more.validation ? { validation: more.validation } : {}),
    });
    const cms = await signDetached(unsealed.digest, signer, more.timestamper).catch((cause: unknown) => {
      throw cause instanceof SealError
        ? cause
        : new SealError('seal_failed', 'The seal could not be made.', cause);
    });
    const { certFingerprint } = identity;
    return { pdf: unsealed.fill(cms), sealedAt, level, signer: identity.signer, certFingerprint };
  }

  return {
    identity,
    get level() {
      return usual();
    },
    async seal(bytes, { level = usual() } = {}) {
      if (level === 'B-B') return seal(bytes, level, {});
      if (!timestamper || !longTerm)
        throw new SealError('tsa_unavailable', 'No timestamp authority is configured.');
      if (level === 'B-T') return seal(bytes, level, { timestamper });
      return longTerm.seal((validation, recording) =>
        seal(bytes, level, { validation, timestamper: recording }),
      );
    },
  };
}
