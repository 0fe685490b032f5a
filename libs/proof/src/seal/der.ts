/**
 * A strict reader of DER (X.690 §10): definite lengths in the shortest form, no trailing bytes. Libraries
 * accept BER, in which a value has many encodings, but a signed value must have only one.
 */

/**
 * One value. `bytes` is the whole encoding, `value` its content, `children` the values inside a constructed
 * one.
 */
export type Der = { tag: number; bytes: Uint8Array; value: Uint8Array; children: readonly Der[] };

export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  utf8: 0x0c,
  printable: 0x13,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

const CONSTRUCTED = 0x20;
const MAX_DEPTH = 24;

/**
 * Parses exactly one value.
 * @throws RangeError for anything that is not DER
 */
export function readDer(bytes: Uint8Array): Der {
  const { der, end } = readAt(bytes, 0, 0);
  if (end !== bytes.length) throw new RangeError('bytes behind the end');
  return der;
}

/** Parses the first value and returns the remaining bytes. */
export function readFirst(bytes: Uint8Array): { der: Der; rest: Uint8Array } {
  const { der, end } = readAt(bytes, 0, 0);
  return { der, rest: bytes.subarray(end) };
}

function readAt(bytes: Uint8Array, start: number, depth: number): { der: Der; end: number } {
  if (depth > MAX_DEPTH) throw new RangeError('values nest too deep');
  const tag = byteAt(bytes, start);
  if ((tag & 0x1f) === 0x1f) throw new RangeError('a tag of more than one byte');
  const { length, at } = readLength(bytes, start + 1);
  const end = at + length;
  if (end > bytes.length) throw new RangeError('a value that ends too early');
  const children: Der[] = [];
  if (tag & CONSTRUCTED) {
    for (let next = at; next < end;) {
      const child = readAt(bytes.subarray(0, end), next, depth + 1);
      children.push(child.der);
      next = child.end;
    }
  }
  const der = { tag, bytes: bytes.subarray(start, end), value: bytes.subarray(at, end), children };
  checkForm(der);
  return { der, end };
}

/** @throws RangeError for an encoding that is not DER */
function checkForm(der: Der): void {
  if ((der.tag & ~CONSTRUCTED) === 0) throw new RangeError('the tag of an end');
  if (der.tag === TAG.oid) oidText(der);
  if (der.tag === TAG.integer) integerOf(der);
  if (der.tag === TAG.null && der.value.length > 0) throw new RangeError('a null with something inside');
}

function readLength(bytes: Uint8Array, at: number): { length: number; at: number } {
  const first = byteAt(bytes, at);
  if (first < 0x80) return { length: first, at: at + 1 };
  const count = first & 0x7f;
  if (count === 0 || count > 4) throw new RangeError('an indefinite or enormous length');
  let length = 0;
  for (let i = 1; i <= count; i += 1) length = length * 256 + byteAt(bytes, at + i);
  if (length < 0x80 || length < 256 ** (count - 1)) throw new RangeError('a length that is not the shortest');
  return { length, at: at + 1 + count };
}

function byteAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at];
  if (byte === undefined) throw new RangeError('a value that ends too early');
  return byte;
}

/**
 * Returns the value if it has this tag.
 * @throws RangeError otherwise
 */
export function expectTag(der: Der | undefined, tag: number): Der {
  if (der?.tag !== tag) throw new RangeError('another value than expected');
  return der;
}

/** Returns a child by position, which must have this tag. */
export const childOf = (der: Der, index: number, tag: number): Der => expectTag(der.children[index], tag);

/** Returns an object identifier as `1.2.840.…`. */
export function oidText(der: Der | undefined): string {
  const { value } = expectTag(der, TAG.oid);
  if (value.length === 0 || (value.at(-1) ?? 0) & 0x80)
    throw new RangeError('an object identifier that does not end');
  const arcs: number[] = [];
  let arc = 0;
  for (const [i, byte] of value.entries()) {
    const isFirst = i === 0 || ((value[i - 1] ?? 0) & 0x80) === 0;
    if (isFirst && byte === 0x80) throw new RangeError('an object identifier that is not the shortest');
    arc = arc * 128 + (byte & 0x7f);
    if (arc > Number.MAX_SAFE_INTEGER) throw new RangeError('an object identifier that is too large');
    if (byte & 0x80) continue;
    arcs.push(arc);
    arc = 0;
  }
  const [first = 0, ...rest] = arcs;
  const top = Math.min(2, Math.floor(first / 40));
  return [top, first - 40 * top, ...rest].join('.');
}

/** Returns a UTCTime or GeneralizedTime in UTC (DER and RFC 5280); fractions are dropped. */
export function timeOf(der: Der | undefined): Date {
  const text = Array.from(der?.value ?? [], (byte) => String.fromCharCode(byte)).join('');
  const pattern =
    der?.tag === TAG.utcTime
      ? /^(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})Z$/
      : /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(?:\.\d+)?Z$/;
  if (der?.tag !== TAG.utcTime && der?.tag !== TAG.generalizedTime) throw new RangeError('not a time');
  const parts = pattern.exec(text)?.slice(1).map(Number);
  if (!parts) throw new RangeError('not a time');
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts;
  const full = der.tag === TAG.utcTime ? year + (year < 50 ? 2000 : 1900) : year;
  const time = new Date(Date.UTC(full, month - 1, day, hour, minute, second));
  // Date.UTC carries an invalid day or hour over to the next.
  const read = [time.getUTCMonth() + 1, time.getUTCDate(), time.getUTCHours(), time.getUTCMinutes()];
  if ([month, day, hour, minute].some((part, i) => part !== read[i]) || second !== time.getUTCSeconds())
    throw new RangeError('a time that does not exist');
  return time;
}

/**
 * Returns an INTEGER's bytes.
 * @throws RangeError for an empty one, and for more bytes than its value needs (X.690 §8.3.2)
 */
export function integerOf(der: Der | undefined): Uint8Array {
  const { value } = expectTag(der, TAG.integer);
  const [first, second = 0] = value;
  if (first === undefined) throw new RangeError('a number without digits');
  if (value.length > 1 && ((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80)))
    throw new RangeError('a number that is not the shortest');
  return value;
}

/** Returns the bits of a BIT STRING of whole bytes. */
export function bitsOf(der: Der | undefined): Uint8Array {
  const { value } = expectTag(der, TAG.bitString);
  if (value[0] !== 0) throw new RangeError('a bit string of broken bytes');
  return value.subarray(1);
}
