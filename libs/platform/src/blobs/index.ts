export { blobConfigFromEnv, blobEnv, parseKekRing } from './config.ts';
export type { BlobConfig, BlobEnv, Kek, KekRing, S3Config } from './config.ts';
export { BlobError, isBlobError } from './errors.ts';
export type { BlobErrorCode } from './errors.ts';
export { contentDisposition, registerFileRoutes } from './file-routes.ts';
export type { FileRouteOptions } from './file-routes.ts';
export type { SignedPath, SignOptions } from './signed-path.ts';
export { createBlobStore } from './store.ts';
export type { BlobSource, BlobStore, OpenedBlob, PutOptions, StoredBlob } from './store.ts';
