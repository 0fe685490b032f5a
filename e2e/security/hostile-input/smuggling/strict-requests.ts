/** A strict reader of requests: everything that RFC 9112 leaves to the recipient is a fault. */

const HEAD =
  /^[A-Z]+ \/[\x21-\x7e\x80-\xff]* HTTP\/1\.1\r\n([!#$%&'*+\-.^_`|~\w]+:[\t\x20-\x7e\x80-\xff]*\r\n)*$/;
const LENGTHS = /^(?:content-length|transfer-encoding):.*$/gim;
const CHUNK_SIZE = /^[0-9a-fA-F]{1,8}$/;

/** Complete requests, bytes after the last of them, and the fault at which reading ended. */
type Read = { count: number; rest: number; faults: string[] };

/** Reads the bytes of one connection, from the beginning of a request. */
export function requestsIn(bytes: Buffer): Read {
  let rest = bytes.toString('latin1');
  for (let count = 0; ; count += 1) {
    const end = rest.indexOf('\r\n\r\n') + 2;
    const endsWith = (...faults: string[]): Read => ({ count, rest: rest.length, faults });
    if (end === 1) return endsWith();
    const head = rest.slice(0, end);
    if (!HEAD.test(head)) return endsWith(`the head ${JSON.stringify(head.slice(0, 400))}`);
    const lengths = head.match(LENGTHS) ?? ['content-length: 0'];
    const [, length, chunked] =
      /^(?:content-length: *(\d+)|transfer-encoding: *(chunked)) *$/i.exec(lengths.join()) ?? [];
    if (length === undefined && chunked === undefined) return endsWith(`the lengths ${lengths.join()}`);
    const body = rest.slice(end + 2);
    const size = chunked === undefined ? Number(length) : sizeOfChunks(body);
    if (Number.isNaN(size)) return endsWith(`the chunks ${JSON.stringify(body.slice(0, 80))}`);
    if (size > body.length) return endsWith();
    rest = body.slice(size);
  }
}

/** Infinity while they are incomplete; NaN if they are invalid. */
function sizeOfChunks(body: string): number {
  for (let at = 0; ;) {
    const end = body.indexOf('\r\n', at);
    if (end === -1) return Infinity;
    const size = body.slice(at, end);
    if (!CHUNK_SIZE.test(size)) return NaN;
    at = end + 2 + Number.parseInt(size, 16);
    if (body.length < at + 2) return Infinity;
    if (!body.startsWith('\r\n', at)) return NaN;
    at += 2;
    if (/^0+$/.test(size)) return at;
  }
}
