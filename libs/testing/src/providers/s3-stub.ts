/**
 * A small in-memory S3 for tests, over real HTTP. It implements the operations of `s3-backend.ts`: put, get
 * (ranges), head, delete, batch delete, list (in pages of two), versions, multipart uploads, and conditional
 * puts. It replaces a store such as MinIO or S3, which tests cannot reach: it tests the adapter's requests
 * and its handling of responses, not the behaviour of a real store. It checks that requests are signed, not
 * the signature.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const PAGE = 2;

interface PendingUpload {
  key: string;
  initiated: Date;
  parts: Map<number, Buffer>;
}

export interface S3Stub {
  url: string;
  bucket: string;
  objects: Map<string, Buffer>;
  /** Earlier versions in a versioned bucket, for `GET ?versions`. */
  versions: { key: string; id: string; bytes: Buffer }[];
  uploads: Map<string, PendingUpload>;
  requests: string[];
  /** Returns a status to fail a request with; `request` is `METHOD key?query`. */
  fail: ((request: string) => number | undefined) | undefined;
  close(): Promise<void>;
}

const etagOf = (bytes: Buffer) => `"${createHash('md5').update(bytes).digest('hex')}"`;
const tag = (name: string, text: string | number | undefined) =>
  text === undefined ? '' : `<${name}>${String(text).replace(/&/g, '&amp;').replace(/</g, '&lt;')}</${name}>`;

async function bodyOf(req: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of req) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

function xml(res: ServerResponse, root: string, body: string, status = 200): void {
  res
    .writeHead(status, { 'content-type': 'application/xml' })
    .end(`<?xml version="1.0"?><${root}>${body}</${root}>`);
}

const fault = (res: ServerResponse, status: number, code: string) =>
  xml(res, 'Error', tag('Code', code), status);

function getObject(stub: S3Stub, req: IncomingMessage, res: ServerResponse, key: string): void {
  const bytes = stub.objects.get(key);
  if (!bytes) return fault(res, 404, 'NoSuchKey');
  const head = { etag: etagOf(bytes), 'content-type': 'application/octet-stream' };
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(req.headers.range ?? '') ?? [];
  if (first === undefined) {
    res
      .writeHead(200, { ...head, 'content-length': bytes.length })
      .end(req.method === 'HEAD' ? undefined : bytes);
    return;
  }
  if (Number(first) >= bytes.length) return fault(res, 416, 'InvalidRange');
  const part = bytes.subarray(Number(first), Number(last) + 1);
  const range = `bytes ${first}-${Number(first) + part.length - 1}/${bytes.length}`;
  res.writeHead(206, { ...head, 'content-range': range, 'content-length': part.length }).end(part);
}

function putObject(stub: S3Stub, req: IncomingMessage, res: ServerResponse, key: string, body: Buffer): void {
  const there = stub.objects.get(key);
  if (req.headers['if-none-match'] === '*' && there) return fault(res, 412, 'PreconditionFailed');
  const match = req.headers['if-match'];
  if (match !== undefined && !there) return fault(res, 404, 'NoSuchKey');
  if (match !== undefined && there && match !== etagOf(there)) return fault(res, 412, 'PreconditionFailed');
  stub.objects.set(key, body);
  res.writeHead(200, { etag: etagOf(body) }).end();
}

function listObjects(stub: S3Stub, res: ServerResponse, query: URLSearchParams): void {
  const after = query.get('continuation-token') ?? '';
  const keys = [...stub.objects.keys()]
    .filter((k) => k.startsWith(query.get('prefix') ?? '') && k > after)
    .sort();
  const page = keys.slice(0, PAGE);
  const more = keys.length > PAGE;
  const contents = page
    .map((key) => `<Contents>${tag('Key', key)}${tag('LastModified', '2026-01-01T00:00:00.000Z')}</Contents>`)
    .join('');
  const next = more ? tag('NextContinuationToken', page.at(-1)) : '';
  xml(res, 'ListBucketResult', `${tag('IsTruncated', String(more))}${next}${contents}`);
}

function listVersions(stub: S3Stub, res: ServerResponse, query: URLSearchParams): void {
  const prefix = query.get('prefix') ?? '';
  const found = stub.versions.filter(({ key }) => key.startsWith(prefix));
  xml(
    res,
    'ListVersionsResult',
    found.map(({ key, id }) => `<Version>${tag('Key', key)}${tag('VersionId', id)}</Version>`).join(''),
  );
}

function listUploads(stub: S3Stub, res: ServerResponse): void {
  const found = [...stub.uploads].map(
    ([id, { key, initiated }]) =>
      `<Upload>${tag('Key', key)}${tag('UploadId', id)}${tag('Initiated', initiated.toISOString())}</Upload>`,
  );
  xml(res, 'ListMultipartUploadsResult', `${tag('IsTruncated', 'false')}${found.join('')}`);
}

function multipart(
  stub: S3Stub,
  req: IncomingMessage,
  res: ServerResponse,
  key: string,
  query: URLSearchParams,
  body: Buffer,
): void {
  if (req.method === 'POST' && query.has('uploads')) {
    const id = randomUUID();
    stub.uploads.set(id, { key, initiated: new Date(), parts: new Map() });
    return xml(res, 'InitiateMultipartUploadResult', tag('UploadId', id));
  }
  const id = query.get('uploadId') ?? '';
  const upload = stub.uploads.get(id);
  if (!upload) return fault(res, 404, 'NoSuchUpload');
  if (req.method === 'PUT') {
    upload.parts.set(Number(query.get('partNumber')), body);
    res.writeHead(200, { etag: etagOf(body) }).end();
    return;
  }
  stub.uploads.delete(id);
  if (req.method === 'DELETE') {
    res.writeHead(204).end();
    return;
  }
  const parts = [...upload.parts].sort(([a], [b]) => a - b).map(([, part]) => part);
  stub.objects.set(upload.key, Buffer.concat(parts));
  xml(res, 'CompleteMultipartUploadResult', tag('Key', upload.key));
}

function deleteObject(stub: S3Stub, res: ServerResponse, key: string, version: string | null): void {
  if (version === null) stub.objects.delete(key);
  else stub.versions = stub.versions.filter((v) => v.key !== key || v.id !== version);
  res.writeHead(204).end();
}

function deleteBatch(stub: S3Stub, res: ServerResponse, body: Buffer): void {
  for (const [, key] of body.toString().matchAll(/<Key>([^<]*)<\/Key>/g)) stub.objects.delete(key ?? '');
  xml(res, 'DeleteResult', '');
}

async function answer(stub: S3Stub, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const body = await bodyOf(req);
  const url = new URL(req.url ?? '/', stub.url);
  const key = decodeURIComponent(url.pathname).slice(stub.bucket.length + 2);
  const query = url.searchParams;
  const request = `${req.method} ${key}${url.search}`;
  stub.requests.push(request);
  const status = stub.fail?.(request);
  if (status !== undefined) return fault(res, status, 'Injected');
  if (!req.headers.authorization?.startsWith('AWS4-HMAC-SHA256 ')) return fault(res, 403, 'AccessDenied');
  if (query.has('uploads') && req.method === 'GET') return listUploads(stub, res);
  if (query.has('uploads') || query.has('uploadId')) return multipart(stub, req, res, key, query, body);
  if (query.has('versions')) return listVersions(stub, res, query);
  if (query.has('delete')) return deleteBatch(stub, res, body);
  if (query.has('list-type')) return listObjects(stub, res, query);
  if (req.method === 'PUT') return putObject(stub, req, res, key, body);
  if (req.method === 'DELETE') return deleteObject(stub, res, key, query.get('versionId'));
  if (req.method === 'GET' || req.method === 'HEAD') return getObject(stub, req, res, key);
  return fault(res, 501, 'NotImplemented');
}

export async function startS3Stub(bucket = 'karaar'): Promise<S3Stub> {
  const server = createServer((req, res) => {
    answer(stub, req, res).catch((error: unknown) => res.destroy(error instanceof Error ? error : undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stub: S3Stub = {
    url: `http://127.0.0.1:${port}`,
    bucket,
    objects: new Map(),
    versions: [],
    uploads: new Map(),
    requests: [],
    fail: undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return stub;
}
