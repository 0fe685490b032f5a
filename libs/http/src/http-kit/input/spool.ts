import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Multipart, MultipartFile } from '@fastify/multipart';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FileRule } from '@karaar/contracts/kit';
import { AppError, badRequest, payloadTooLarge, unavailable, type Fault } from '@karaar/base/errors';
import { oneLine, visiblePart } from '@karaar/base/schema';
import type { TextBag } from './bodies.ts';
import { sniffFile } from './sniff.ts';
import { requestDirectory } from './spool-dir.ts';
import type { SpooledFile } from '../types.ts';

const KiB = 1024;
const MAX_TEXT_BYTES = 256 * KiB;
const MAX_TEXT_BYTES_IN_ALL = 1024 * KiB;
const MAX_TEXTS = 200;

export type FileRules = Readonly<Record<string, FileRule>>;
export type Spooled = { texts: TextBag; files: Record<string, SpooledFile[]>; faults: Fault[] };

/** Maximum total bytes of a form's files, unless a route sets a smaller limit. */
export const totalOf = (rules: FileRules): number =>
  Object.values(rules).reduce((sum, rule) => sum + rule.maxBytes * (rule.maxCount ?? 1), 0);

const human = (bytes: number): string =>
  bytes >= KiB * KiB
    ? `${Math.floor((bytes / KiB / KiB) * 10) / 10} MB`
    : `${Math.max(1, Math.floor(bytes / KiB))} KB`;

const NAME_MAX = 200;

/** Returns a display name: without path and invisible characters, of bounded length. */
export function displayName(given: string): string {
  // A character that reverses the writing direction, or truncation, could hide the extension.
  const { name, ext } = parse(oneLine(visiblePart(given.replaceAll('\\', '/').toWellFormed())));
  const ending = [...ext].slice(0, 20);
  return [...[...name].slice(0, NAME_MAX - ending.length), ...ending].join('') || 'file';
}

/** Counts and hashes bytes; after `max` bytes it keeps reading but passes nothing on. */
class Meter extends Transform {
  readonly #hash = createHash('sha256');
  readonly #max: number;
  readonly #onBytes: (bytes: number) => void;
  size = 0;

  constructor(max: number, onBytes: (bytes: number) => void) {
    super();
    this.#max = max;
    this.#onBytes = onBytes;
  }
  get tooLarge(): boolean {
    return this.size > this.#max;
  }
  sha256(): string {
    return this.#hash.digest('hex');
  }
  override _transform(
    chunk: Buffer,
    _encoding: BufferEncoding,
    done: (err?: Error | null, data?: Buffer) => void,
  ) {
    this.size += chunk.length;
    try {
      this.#onBytes(chunk.length);
    } catch (err) {
      return done(err as Error);
    }
    if (this.tooLarge) return done();
    this.#hash.update(chunk);
    return done(null, chunk);
  }
}

async function drain(stream: Readable, onBytes: (bytes: number) => void): Promise<number> {
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    onBytes(chunk.length);
  }
  return size;
}

/** Other errors of the reader are the client's fault; disk errors are internal. */
const DISK_ERRORS = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EMFILE', 'ENFILE', 'EROFS', 'EACCES']);
function readingFault(err: unknown): unknown {
  if (err instanceof AppError) return err;
  const code = err instanceof Error && 'code' in err ? String(err.code) : '';
  if (DISK_ERRORS.has(code)) {
    return unavailable(
      'storage_unavailable',
      'Files cannot be stored right now. Please try again later.',
      err,
    );
  }
  if (err instanceof Error && 'statusCode' in err && err.statusCode === 413) {
    return payloadTooLarge('too_many_parts', 'The form has too many parts.');
  }
  return new AppError(400, 'malformed_form', 'The form data is broken or incomplete.', { cause: err });
}

class FormSpool {
  readonly texts = Object.create(null) as TextBag;
  readonly files: Record<string, SpooledFile[]>;
  readonly faults = new Map<string, string>();
  /** 413, sent after the whole body has been read. */
  oversize: AppError | undefined;
  readonly #req: FastifyRequest;
  readonly #reply: FastifyReply;
  readonly #rules: FileRules;
  readonly #maxTotalBytes: number;
  #fileBytes = 0;
  #textBytes = 0;
  #directory: string | undefined;
  #serial = 0;

  constructor(req: FastifyRequest, reply: FastifyReply, rules: FileRules, maxTotalBytes: number) {
    this.#req = req;
    this.#reply = reply;
    this.#rules = rules;
    this.#maxTotalBytes = maxTotalBytes;
    this.files = Object.fromEntries(Object.keys(rules).map((name) => [name, []]));
  }

  takeText(name: string, value: unknown, truncated: boolean): void {
    if (Object.hasOwn(this.#rules, name)) {
      if (value !== '') this.faults.set(name, 'must be a file');
      return;
    }
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    this.#textBytes += Buffer.byteLength(text);
    if (truncated || this.#textBytes > MAX_TEXT_BYTES_IN_ALL) {
      this.oversize ??= payloadTooLarge('payload_too_large', `${name}: the text is too long.`);
      return;
    }
    const before = this.texts[name];
    this.texts[name] = before === undefined ? text : [before, text].flat();
  }

  async takeFile(part: MultipartFile): Promise<void> {
    const name = part.fieldname;
    const rule = Object.hasOwn(this.#rules, name) ? this.#rules[name] : undefined;
    const taken = this.files[name];
    if (!rule || !taken) {
      await drain(part.file, this.#onBytes);
      this.faults.set(name, 'is not a file of this form');
      return;
    }
    // A browser sends this for a file input without a chosen file.
    const blank = part.filename === '' || part.filename === undefined;
    if (taken.length >= (rule.maxCount ?? 1)) {
      const size = await drain(part.file, this.#onBytes);
      if (!blank || size > 0) {
        const count = rule.maxCount ?? 1;
        this.faults.set(name, `must be at most ${count} ${count === 1 ? 'file' : 'files'}`);
      }
      return;
    }
    this.#directory ??= await requestDirectory(this.#req, this.#reply);
    const path = join(this.#directory, String(this.#serial++));
    const meter = new Meter(rule.maxBytes, this.#onBytes);
    await pipeline(part.file, meter, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    const filename = displayName(part.filename ?? '');
    if (meter.tooLarge) {
      // This fault is more precise than the total's, so it replaces it.
      const msg = `'${filename}' is too large. A file must not have more than ${human(rule.maxBytes)}.`;
      this.oversize = payloadTooLarge('file_too_large', [{ loc: name, msg, file: filename }]);
    }
    if (this.oversize) {
      await rm(path, { force: true });
      return;
    }
    if (meter.size === 0) {
      // If a field takes several files, the fault names the file.
      if (!blank)
        this.faults.set(
          name,
          (rule.maxCount ?? 1) > 1 ? `'${filename}' is empty` : 'must not be an empty file',
        );
      return;
    }
    const { kind, mime } = await sniffFile(path);
    taken.push({ field: name, filename, path, size: meter.size, sha256: meter.sha256(), mime, kind });
  }

  readonly #onBytes = (bytes: number): void => {
    this.#fileBytes += bytes;
    if (this.#fileBytes <= this.#maxTotalBytes) return;
    this.oversize ??= payloadTooLarge(
      'payload_too_large',
      `All files together must not have more than ${human(this.#maxTotalBytes)}.`,
    );
    if (this.#fileBytes <= 2 * this.#maxTotalBytes + 16 * KiB * KiB) return;
    // Twice the limit is deliberate or a defect: stop reading.
    this.#reply.header('connection', 'close');
    throw this.oversize;
  };
}

/**
 * Reads a multipart body: every declared file is counted, hashed and written to a temporary file, never held
 * in memory. The whole body (up to a limit) is read even if a part is invalid, so that the client gets one
 * response with all faults instead of a broken connection.
 * @throws AppError 413 if a file or the whole is too large; 400 if the body is malformed
 */
export async function spoolForm(
  req: FastifyRequest,
  reply: FastifyReply,
  rules: FileRules,
  maxTotalBytes: number,
): Promise<Spooled> {
  const spool = new FormSpool(req, reply, rules, maxTotalBytes);
  try {
    const parts: AsyncIterable<Multipart> = req.parts({
      limits: {
        fieldNameSize: 100,
        fieldSize: MAX_TEXT_BYTES,
        fields: MAX_TEXTS,
        fileSize: Number.POSITIVE_INFINITY,
        files: 100,
        parts: 300,
        headerPairs: 20,
      },
    });
    for await (const part of parts) {
      if (part.type === 'file') await spool.takeFile(part);
      else spool.takeText(part.fieldname, part.value, part.valueTruncated || part.fieldnameTruncated);
    }
  } catch (err) {
    if (req.raw.destroyed && !req.raw.complete) throw badRequest('aborted', 'The upload was cut off.');
    throw readingFault(err);
  }
  if (spool.oversize) throw spool.oversize;
  const { texts, files, faults } = spool;
  return { texts, files, faults: [...faults].map(([loc, msg]) => ({ loc, msg })) };
}
