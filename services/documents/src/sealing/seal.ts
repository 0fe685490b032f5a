import { PDF, PdfArray, PdfDict, PdfName, PdfNumber } from '@libpdf/core';
import { SealError } from './errors.ts';
import { type KeySource, openKey, type SealIdentity } from './keys.ts';
import { createTimestamper, type TimestampOptions } from './timestamp.ts';

export { SealError, type SealErrorCode } from './errors.ts';
export { isDevelopmentKey, type KeySource, type SealIdentity } from './keys.ts';

export type SealLevel = 'B-B' | 'B-T';

export interface SealedPdf {
  pdf: Uint8Array;
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
}

export interface Sealer {
  readonly identity: SealIdentity;
  /** The level that `seal` reaches when nothing else is asked: state it in the certificate page. */
  readonly level: SealLevel;
  /**
   * Put one certification signature on a PDF that has none: DocMDP P=1, PAdES. Throws `tsa_unavailable`
   * rather than seal at a lower level than asked; to go without a timestamp compose the certificate page
   * anew with that statement, then ask for B-B.
   */
  seal(pdf: Uint8Array, options?: { level?: SealLevel }): Promise<SealedPdf>;
}

/** The name of the one signature field. */
const FIELD = 'KaraarSeal';

/** Room for the signature with its chain; a timestamp brings the authority's chain as well. */
const RESERVED: Record<SealLevel, number> = { 'B-B': 12_288, 'B-T': 24_576 };

/** Open the key and be ready to seal. Throws `key_invalid`. */
export async function createSealer(options: SealerOptions): Promise<Sealer> {
  const { signer, identity } = await openKey(options.key);
  const urls = options.tsaUrls ?? [];
  const timestamper = urls.length > 0 ? createTimestamper({ ...options.tsa, urls }) : undefined;
  const usual: SealLevel = timestamper ? 'B-T' : 'B-B';

  return {
    identity,
    level: usual,
    async seal(bytes, { level = usual } = {}) {
      if (level === 'B-T' && !timestamper)
        throw new SealError('tsa_unavailable', 'No timestamp authority is configured.');
      const pdf = await openForSealing(bytes);
      certify(pdf);
      const sealed = await pdf
        .sign({
          signer,
          level,
          fieldName: FIELD,
          reason: 'Sealed by Karaar: no change is allowed',
          estimatedSize: RESERVED[level],
          ...(level === 'B-T' && timestamper ? { timestampAuthority: timestamper } : {}),
        })
        .catch((cause: unknown) => {
          throw cause instanceof SealError
            ? cause
            : new SealError('seal_failed', 'The seal could not be made.', cause);
        });
      requireWholeFile(sealed.bytes);
      return { pdf: sealed.bytes, level, signer: identity.signer, certFingerprint: identity.certFingerprint };
    },
  };
}

async function openForSealing(bytes: Uint8Array): Promise<PDF> {
  const pdf = await PDF.load(bytes).catch((cause: unknown) => {
    throw new SealError('not_sealable', 'The file to seal is not a PDF.', cause);
  });
  if (pdf.recoveredViaBruteForce || pdf.isEncrypted)
    throw new SealError('not_sealable', 'The file to seal is damaged.');
  if (pdf.hasForm())
    throw new SealError('not_sealable', 'The file to seal has a form or a signature already.');
  return pdf;
}

/**
 * Make the signature that comes a certification: DocMDP with P=1, no change allowed (ISO 32000-1
 * §12.8.2.2). The library signs but does not certify, and its signature dictionary exists only inside
 * `sign`; so it is completed at the moment in which it is registered, before anything is hashed.
 */
function certify(pdf: PDF): void {
  const { registry } = pdf.context;
  const register = registry.register.bind(registry);
  registry.register = (object) => {
    const ref = register(object);
    if (object instanceof PdfDict && object.getName('Type')?.value === 'Sig') {
      object.set('Reference', PdfArray.of(docMdp()));
      pdf.getCatalog().set('Perms', PdfDict.of({ DocMDP: ref }));
      registry.register = register;
    }
    return ref;
  };
}

function docMdp(): PdfDict {
  return PdfDict.of({
    Type: PdfName.of('SigRef'),
    TransformMethod: PdfName.of('DocMDP'),
    TransformParams: PdfDict.of({
      Type: PdfName.of('TransformParams'),
      P: PdfNumber.of(1),
      V: PdfName.of('1.2'),
    }),
  });
}

/** A seal that leaves a byte out would be worthless: check our own output before anybody stores it. */
function requireWholeFile(pdf: Uint8Array): void {
  const text = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength);
  const at = text.lastIndexOf('/ByteRange'); // ours is in the last revision; a page's text may hold the word too
  const found = /^\/ByteRange \[0 (\d+) +(\d+) +(\d+) *\]/.exec(text.toString('latin1', at, at + 80));
  const [first = 0, second = 0, rest = 0] = found?.slice(1).map(Number) ?? [];
  const gap = text.toString('latin1', first, first + 1) + text.toString('latin1', second - 1, second);
  if (second + rest !== pdf.length || gap !== '<>') {
    throw new SealError('seal_failed', 'The seal does not cover the whole file.');
  }
  if (text.indexOf('/TransformMethod /DocMDP', at) < 0)
    throw new SealError('seal_failed', 'The seal is no certification.');
}
