/** The public interface of sealing: seals the bytes of a PDF. All other files are internal. */
export { keyFaults, type KeyFault } from './fitness.ts';
export { ownSeal } from './own-authority.ts';
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
