/**
 * Reads the fields of a SEQUENCE or SET in the order of their ASN.1 definition; additional or misplaced
 * fields are refused.
 */
import { textOf } from './bytes.ts';
import { expectTag, integerOf, oidText, TAG, timeOf, type Der } from './seal/der.ts';

export class Fields {
  readonly #fields: readonly Der[];
  #at = 0;

  /** @throws RangeError for a value with another tag */
  constructor(der: Der | undefined, tag: number = TAG.sequence) {
    this.#fields = expectTag(der, tag).children;
  }

  /**
   * Returns the next field, which must have one of these tags.
   * @throws RangeError
   */
  next(...tags: readonly number[]): Der {
    const field = this.optional(...tags);
    if (!field) throw new RangeError('another value than expected');
    return field;
  }

  /** Returns the next field if it has one of these tags. */
  optional(...tags: readonly number[]): Der | undefined {
    const field = this.#fields[this.#at];
    if (!field || !tags.includes(field.tag)) return undefined;
    this.#at += 1;
    return field;
  }

  /** @throws RangeError if another field follows */
  end(): void {
    if (this.#at < this.#fields.length) throw new RangeError('more values than expected');
  }
}

/**
 * Returns the only value inside an explicit tag.
 * @throws RangeError
 */
export function only(der: Der): Der {
  const [value, ...more] = der.children;
  if (!value || more.length > 0) throw new RangeError('not exactly one value');
  return value;
}

const PARAMETERS = [TAG.null, TAG.oid, TAG.sequence];

/**
 * Checks an AlgorithmIdentifier (RFC 5280 §4.1.1.2).
 * @throws RangeError
 */
export function algorithmOf(der: Der): Der {
  const fields = new Fields(der);
  fields.next(TAG.oid);
  fields.optional(...PARAMETERS);
  fields.end();
  return der;
}

/**
 * Returns the OID of an algorithm without parameters (omitted or NULL).
 * @throws RangeError for other parameters
 */
export function plainAlgorithm(der: Der): string {
  const [name, parameters, ...more] = expectTag(der, TAG.sequence).children;
  if (more.length > 0 || (parameters && parameters.tag !== TAG.null))
    throw new RangeError('an algorithm with parameters that it does not take');
  return oidText(name);
}

/** The string types of a name, with their bytes per character. */
const STRINGS = new Map([
  [TAG.utf8, 1],
  [TAG.printable, 1],
  [0x14, 1], // TeletexString
  [0x16, 1], // IA5String
  [0x1c, 4], // UniversalString
  [0x1e, 2], // BMPString
]);

/**
 * Checks a Name (RFC 5280 §4.1.2.4).
 * @throws RangeError
 */
export function nameOf(der: Der): Der {
  for (const set of expectTag(der, TAG.sequence).children) {
    if (expectTag(set, TAG.set).children.length === 0) throw new RangeError('an empty part of a name');
    for (const part of set.children) {
      const fields = new Fields(part);
      oidText(fields.next(TAG.oid));
      stringOf(fields.next(...STRINGS.keys()));
      fields.end();
    }
  }
  return der;
}

/**
 * Returns the characters of a string type.
 * @throws RangeError for other types, and for characters that do not exist
 */
export function stringOf(der: Der | undefined): string {
  const width = STRINGS.get(der?.tag ?? 0);
  if (!der || !width || der.value.length % width !== 0) throw new RangeError('a text of broken characters');
  if (der.tag === TAG.utf8) return utf8Of(der.value);
  const codes = Array.from({ length: der.value.length / width }, (_, i) =>
    der.value.subarray(i * width, (i + 1) * width).reduce((code, byte) => code * 256 + byte, 0),
  );
  return codes.map((code) => String.fromCodePoint(code)).join('');
}

function utf8Of(bytes: Uint8Array): string {
  try {
    return textOf(bytes);
  } catch {
    throw new RangeError('a text of broken characters');
  }
}

/**
 * Returns true for names that OpenSSL takes for the same: it ignores string types, case and repeated spaces (RFC
 * 5280 §7.1).
 */
export const isSameName = (one: Der, other: Der): boolean => plainName(one) === plainName(other);

const plainName = (name: Der): string =>
  JSON.stringify(
    name.children.map(({ children }) =>
      children.map(({ children: [type, text] }) => `${oidText(type)}=${plainText(text)}`).toSorted(),
    ),
  );

const plainText = (der: Der | undefined): string =>
  stringOf(der)
    .replaceAll(/[\t-\r ]+/g, ' ')
    .replaceAll(/^ | $/g, '')
    .replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

export type Extensions = ReadonlyMap<string, { critical: boolean; value: Uint8Array }>;

/**
 * Returns the extensions (RFC 5280 §4.1), each at most once; empty for a certificate without extensions.
 * @throws RangeError
 */
export function extensionsOf(der: Der | undefined): Extensions {
  const found = new Map<string, { critical: boolean; value: Uint8Array }>();
  if (!der) return found;
  const all = expectTag(der, TAG.sequence).children;
  if (all.length === 0) throw new RangeError('a list of no extensions');
  for (const one of all) {
    const fields = new Fields(one);
    const oid = oidText(fields.next(TAG.oid));
    const critical = booleanOf(fields.optional(TAG.boolean));
    const { value } = fields.next(TAG.octetString);
    fields.end();
    if (found.has(oid)) throw new RangeError('an extension twice');
    found.set(oid, { critical, value });
  }
  return found;
}

/**
 * Returns a BOOLEAN; false if it is omitted.
 * @throws RangeError for other than DER (X.690 §11.1)
 */
export function booleanOf(der: Der | undefined): boolean {
  if (!der) return false;
  const [value, ...more] = expectTag(der, TAG.boolean).value;
  if ((value !== 0 && value !== 0xff) || more.length > 0) throw new RangeError('not a truth value');
  return value === 0xff;
}

/**
 * Returns a version number.
 * @throws RangeError for an unknown one
 */
export function versionOf(der: Der, ...known: readonly number[]): number {
  const value = integerOf(der);
  const version = value.length === 1 ? value[0] : undefined;
  if (version === undefined || !known.includes(version)) throw new RangeError('another version');
  return version;
}

/**
 * Returns the next field, a Time (RFC 5280 §4.1.2.5).
 * @throws RangeError
 */
export const nextTime = (fields: Fields): Date => timeOf(fields.next(TAG.utcTime, TAG.generalizedTime));
