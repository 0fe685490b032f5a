/** Requests by the letter of RFC 9112: whatever it leaves to the reader is a fault here. */

const END_OF_HEAD = '\r\n\r\n';
const REQUEST_LINE = /^[A-Z]+ \/[\x21-\x7e\x80-\xff]* HTTP\/1\.1$/;
const FIELD = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+:[\t\x20-\x7e\x80-\xff]*$/;
const LENGTH = /^\d+$/;
const CHUNK = /^[0-9a-fA-F]{1,8}$/;

export type Read = {
  /** Whole requests. */
  count: number;
  /** Bytes behind the last whole one. */
  rest: number;
  faults: string[];
};

/** Reads what was sent over one connection, from the beginning of a request on. */
export function requestsIn(bytes: Buffer): Read {
  const faults: string[] = [];
  let count = 0;
  let at = 0;
  while (at < bytes.length) {
    const end = bytes.indexOf(END_OF_HEAD, at);
    if (end === -1) break;
    const [line = '', ...fields] = bytes.toString('latin1', at, end).split('\r\n');
    if (!REQUEST_LINE.test(line)) faults.push(`the request line ${JSON.stringify(line.slice(0, 80))}`);
    for (const field of fields)
      if (!FIELD.test(field)) faults.push(`the field ${JSON.stringify(field.slice(0, 80))}`);
    const next = endOfBody(bytes, end + END_OF_HEAD.length, fields, faults);
    if (next === undefined) break;
    count += 1;
    at = next;
  }
  return { count, rest: bytes.length - at, faults };
}

/** Where the next request begins; undefined while the body is not whole. */
function endOfBody(bytes: Buffer, from: number, fields: string[], faults: string[]): number | undefined {
  const of = (name: string) =>
    fields
      .filter((field) => field.toLowerCase().startsWith(`${name}:`))
      .map((field) => field.slice(name.length + 1).trim());
  const lengths = of('content-length');
  const encodings = of('transfer-encoding');
  if (lengths.length + encodings.length > 1)
    faults.push(`the lengths ${JSON.stringify([...lengths, ...encodings])}`);
  const [encoding] = encodings;
  if (encoding !== undefined) {
    if (encoding !== 'chunked') faults.push(`the encoding ${JSON.stringify(encoding)}`);
    return endOfChunks(bytes, from, faults);
  }
  const [length = '0'] = lengths;
  if (!LENGTH.test(length)) faults.push(`the length ${JSON.stringify(length)}`);
  const end = from + Number(length);
  return end <= bytes.length ? end : undefined;
}

function endOfChunks(bytes: Buffer, from: number, faults: string[]): number | undefined {
  for (let at = from; ;) {
    const end = bytes.indexOf('\r\n', at);
    if (end === -1) return undefined;
    const size = bytes.toString('latin1', at, end);
    if (!CHUNK.test(size)) {
      faults.push(`the chunk size ${JSON.stringify(size.slice(0, 40))}`);
      return undefined;
    }
    at = end + 2 + Number.parseInt(size, 16);
    if (bytes.length < at + 2) return undefined;
    if (bytes.toString('latin1', at, at + 2) !== '\r\n') faults.push('no line break behind a chunk');
    at += 2;
    if (Number.parseInt(size, 16) === 0) return at;
  }
}
