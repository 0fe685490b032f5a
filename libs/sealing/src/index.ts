/** The public interface of sealing: seals the bytes of a PDF. All other files are internal. */
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
