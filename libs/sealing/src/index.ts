/** The face of sealing: a PDF's bytes in, the sealed bytes out. What else is here is its own. */
export { openKey, type SealKey } from './keys.ts';
export {
  createSealer,
  SealError,
  type KeySource,
  type SealedPdf,
  type Sealer,
  type SealerOptions,
  type SealErrorCode,
  type SealIdentity,
  type SealLevel,
} from './seal.ts';
