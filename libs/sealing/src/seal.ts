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
export { type KeySource, type SealIdentity } from './keys.ts';

export type SealLevel = 'B-B' | 'B-T' | 'B-LT';

export interface SealedPdf {
  pdf: Uint8Array;
  sealedAt: Date;
  level: SealLevel;
  signer: string;
  certFingerprint: string;
}

export interface SealerOptions {
  key: KeySource;
  /** RFC 3161 authorities; without any the seal is B-B. */
  tsaUrls?: readonly string[];
  tsa?: Omit<TimestampOptions, 'urls'>;
  validation?: ValidationOptions;
}

export interface Sealer {
  readonly identity: SealIdentity;
  /** The level that `seal` reaches by default; the certificate page must state it. */
  readonly level: SealLevel;
  /**
   * Adds a certification signature (DocMDP P=1, PAdES) to a PDF that has none. To seal at a lower level,
   * compose the certificate page again with that level and request it.
   * @throws SealError `tsa_unavailable` or `revocation_unavailable` instead of sealing at a lower level than
   * requested
   */
  seal(pdf: Uint8Array, options?: { level?: SealLevel }): Promise<SealedPdf>;
}

const REASON = 'Sealed by Karaar: no change is allowed';

/** Bytes reserved for the signature with its chain; a timestamp includes the authority's chain. */
const RESERVED: Record<SealLevel, number> = { 'B-B': 12_288, 'B-T': 24_576, 'B-LT': 24_576 };

/**
 * Opens the key and returns a sealer.
 * @throws SealError `key_invalid`
 */
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
