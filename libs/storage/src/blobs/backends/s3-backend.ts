/**
 * Blobs in S3 or an S3-compatible store.
 *
 *   <prefix>/<service>/objects/<owner>/<uuid>    sealed objects
 *   <prefix>/<service>/keys/<owner>              the owner's wrapped key
 *
 * S3 shows an object only once its upload is complete. Keys are created with `If-None-Match: *` and replaced with
 * `If-Match`, so that only one of two concurrent writes succeeds and an erased key stays erased. The store must
 * honour both headers.
 */
import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  type ListMultipartUploadsCommandOutput,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { BlobBackend, KeyBackend, Span } from './backend.ts';
import type { S3Config } from '../config.ts';
import { unavailable } from '@karaar/base/errors';
import { BlobError } from '../errors.ts';

/** Each upload buffers two parts. 8 MiB parts allow 80 GB within S3's limit of 10,000 parts. */
const PART_BYTES = 8 * 1024 * 1024;
const PARTS_UNDER_WAY = 2;

function hasStatus(error: unknown, ...statuses: number[]): boolean {
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
  return status !== undefined && statuses.includes(status);
}

/** A bucket and the key prefix (ending in a slash) of one kind of object. */
interface Place {
  client: S3Client;
  bucket: string;
  prefix: string;
}

async function* keysBelow(place: Place, below = ''): AsyncGenerator<string> {
  for await (const { name } of objectsBelow(place, below)) yield name;
}

async function* objectsBelow(
  { client, bucket, prefix }: Place,
  below = '',
): AsyncGenerator<{ name: string; storedAt: Date }> {
  let token: string | undefined;
  do {
    const page = await client.send(
      new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix + below, ContinuationToken: token }),
    );
    for (const { Key, LastModified } of page.Contents ?? [])
      // If the store does not give a time, the object counts as new.
      if (Key) yield { name: Key.slice(prefix.length), storedAt: LastModified ?? new Date() };
    token = page.NextContinuationToken;
  } while (token);
}

class S3Keys implements KeyBackend {
  readonly #place: Place;

  constructor(place: Place) {
    this.#place = place;
  }

  #at(owner: string) {
    return { Bucket: this.#place.bucket, Key: this.#place.prefix + owner };
  }

  async #get(owner: string): Promise<{ record: Buffer; etag: string | undefined } | undefined> {
    try {
      const answer = await this.#place.client.send(new GetObjectCommand(this.#at(owner)));
      const bytes = await answer.Body?.transformToByteArray();
      return bytes && { record: Buffer.from(bytes), etag: answer.ETag };
    } catch (error) {
      if (hasStatus(error, 404)) return undefined;
      throw error;
    }
  }

  async read(owner: string): Promise<Buffer[]> {
    const found = await this.#get(owner);
    return found ? [found.record] : [];
  }

  async create(owner: string, _kekId: string, record: Buffer): Promise<boolean> {
    return this.#putIf(owner, record, { IfNoneMatch: '*' });
  }

  async replace(owner: string, old: { record: Buffer }, next: { record: Buffer }): Promise<boolean> {
    const found = await this.#get(owner);
    if (!found?.etag || !found.record.equals(old.record)) return false;
    return this.#putIf(owner, next.record, { IfMatch: found.etag });
  }

  /**
   * Returns false on 412 (the condition failed), 409 (another conditional write is running) and 404 (If-Match
   * on a removed object).
   */
  async #putIf(owner: string, record: Buffer, condition: { IfMatch?: string; IfNoneMatch?: string }) {
    try {
      await this.#place.client.send(new PutObjectCommand({ ...this.#at(owner), Body: record, ...condition }));
      return true;
    } catch (error) {
      if (hasStatus(error, 404, 409, 412)) return false;
      throw error;
    }
  }

  /** Deletes all versions in a versioned bucket, because an older version would restore the key. */
  async erase(owner: string): Promise<void> {
    const { client, bucket } = this.#place;
    const at = this.#at(owner);
    await client.send(new DeleteObjectCommand(at));
    try {
      const page = await client.send(new ListObjectVersionsCommand({ Bucket: bucket, Prefix: at.Key }));
      for (const { Key, VersionId } of [...(page.Versions ?? []), ...(page.DeleteMarkers ?? [])])
        if (Key === at.Key) await client.send(new DeleteObjectCommand({ ...at, VersionId }));
    } catch (error) {
      // A store without versioning answers 501.
      if (!hasStatus(error, 501)) throw error;
    }
  }

  list(): AsyncIterable<string> {
    return keysBelow(this.#place);
  }
}

class S3Backend implements BlobBackend {
  readonly keys: KeyBackend;
  readonly #place: Place;

  constructor(client: S3Client, bucket: string, prefix: string) {
    this.#place = { client, bucket, prefix: `${prefix}objects/` };
    this.keys = new S3Keys({ client, bucket, prefix: `${prefix}keys/` });
  }

  #at(name: string) {
    return { Bucket: this.#place.bucket, Key: this.#place.prefix + name };
  }

  async write(name: string, sealed: AsyncIterable<Buffer>): Promise<void> {
    const upload = new Upload({
      client: this.#place.client,
      params: { ...this.#at(name), Body: Readable.from(sealed), ContentType: 'application/octet-stream' },
      partSize: PART_BYTES,
      queueSize: PARTS_UNDER_WAY,
      leavePartsOnError: false,
    });
    await upload.done();
  }

  async read(name: string, span?: Span): Promise<{ stream: Readable; size: number }> {
    const Range = span && `bytes=${span.start}-${span.end}`;
    try {
      const answer = await this.#place.client.send(new GetObjectCommand({ ...this.#at(name), Range }));
      const total = answer.ContentRange?.split('/')[1] ?? answer.ContentLength;
      if (!(answer.Body instanceof Readable) || total === undefined)
        throw new Error('S3 sent no body or size.');
      return { stream: answer.Body, size: Number(total) };
    } catch (error) {
      if (hasStatus(error, 404)) throw new BlobError('blob_not_found', `No blob ${name}.`);
      // The blob store only requests spans inside the object, so a span beyond the end means that the object
      // was truncated.
      if (hasStatus(error, 416)) throw new BlobError('blob_corrupt', `The blob ${name} is cut short.`);
      throw error;
    }
  }

  async remove(name: string): Promise<void> {
    await this.#place.client.send(new DeleteObjectCommand(this.#at(name)));
  }

  list(): AsyncIterable<{ name: string; storedAt: Date }> {
    return objectsBelow(this.#place);
  }

  async removeOwner(owner: string): Promise<void> {
    const { client, bucket, prefix } = this.#place;
    let batch: { Key: string }[] = [];
    const flush = async () => {
      if (batch.length === 0) return;
      const answer = await client.send(
        new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects: batch } }),
      );
      const failed = answer.Errors?.[0];
      if (failed) throw new Error(`S3 did not remove ${answer.Errors?.length} objects: ${failed.Code}`);
      batch = [];
    };
    for await (const key of keysBelow(this.#place, `${owner}/`)) {
      batch.push({ Key: prefix + key });
      if (batch.length === 1000) await flush();
    }
    await flush();
  }

  async sweep(olderThanMs: number): Promise<number> {
    const { client, bucket, prefix } = this.#place;
    let swept = 0;
    let marker: { KeyMarker?: string; UploadIdMarker?: string } | undefined = {};
    while (marker) {
      const page: ListMultipartUploadsCommandOutput = await client.send(
        new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix, ...marker }),
      );
      for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
        if (!Initiated || Date.now() - Initiated.getTime() < olderThanMs) continue;
        await client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }));
        swept += 1;
      }
      marker = page.IsTruncated
        ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
        : undefined;
    }
    return swept;
  }
}

/**
 * Returns true for 429 and for 5xx errors, which may pass. 501 is final: the store does not support the call.
 */
const isAway = (error: unknown): boolean =>
  error instanceof S3ServiceException &&
  ((error.$metadata.httpStatusCode ?? 0) >= 500 || hasStatus(error, 429)) &&
  !hasStatus(error, 501);

/** Maps the errors of an unavailable store, after all retries, to 503. */
function reportWhenAway(client: S3Client): S3Client {
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args);
      } catch (error) {
        if (!isAway(error)) throw error;
        throw unavailable(
          'unavailable',
          'This part of Karaar is not available right now. Please try again in a moment.',
          error,
        );
      }
    },
    { step: 'initialize', priority: 'high', name: 'reportWhenAway' },
  );
  return client;
}

/** Stores blobs of `service` in a bucket, which must exist. */
export function createS3Backend(service: string, config: S3Config): BlobBackend {
  const client = new S3Client({
    region: config.region ?? 'us-east-1',
    endpoint: config.endpoint,
    forcePathStyle: config.pathStyle,
    credentials: config.credentials,
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 3_000, socketTimeout: 20_000 },
    // The tag of each segment authenticates every byte; trailing checksums would only exclude some
    // S3-compatible stores.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  const prefix = config.prefix ? `${config.prefix}/${service}/` : `${service}/`;
  return new S3Backend(reportWhenAway(client), config.bucket, prefix);
}
