/** Key identifiers (RFC 5280 §4.2.1.1, §4.2.1.2), which tell apart the keys of one name. */
import { equal } from '../bytes.ts';
import { Fields, isSameName, nameOf, only, type Extensions } from '../fields.ts';
import { expectTag, integerOf, readDer, TAG, type Der } from './der.ts';

const OID = { own: '2.5.29.14', issuers: '2.5.29.35' } as const;

type Identifiers = {
  own: Uint8Array | undefined;
  issuers: { key?: Uint8Array | undefined; name?: Der | undefined; serial?: Uint8Array | undefined };
};

/** The fields of a certificate that its key identifiers are compared with. */
type Holder = { subject: Der; issuer: Der; serial: Uint8Array; extensions: Extensions };

/**
 * Returns the identifiers of a certificate's or a list's own key and of its issuer's key.
 * @throws RangeError for anything else, such as an issuer with more than one name
 */
export function keyIdentifiers(extensions: Extensions): Identifiers {
  const [own, issuers] = [extensions.get(OID.own), extensions.get(OID.issuers)];
  return {
    own: own && expectTag(readDer(own.value), TAG.octetString).value,
    issuers: issuers ? readIssuers(readDer(issuers.value)) : {},
  };
}

function readIssuers(der: Der): Identifiers['issuers'] {
  const fields = new Fields(der);
  const key = fields.optional(0x80);
  const names = fields.optional(0xa1);
  const serial = fields.optional(0x82);
  fields.end();
  return {
    key: key?.value,
    name: names && nameOf(only(expectTag(only(names), 0xa4))),
    serial: serial && integerOf({ ...serial, tag: TAG.integer }),
  };
}

/**
 * Returns false if the extensions name another issuer's key than this authority's.
 * @throws RangeError for unreadable identifiers
 */
export function mayBeFrom(extensions: Extensions, authority: Omit<Holder, 'subject'>): boolean {
  const { key, name, serial } = keyIdentifiers(extensions).issuers;
  const { own } = keyIdentifiers(authority.extensions);
  return (
    (!key || !own || equal(key, own)) &&
    (!serial || equal(serial, authority.serial)) &&
    (!name || isSameName(name, authority.issuer))
  );
}

/**
 * Returns true for a certificate with its issuer's name, unless its identifiers tell that another key of that
 * name has signed it. OpenSSL decides so too, without the signature.
 * @throws RangeError for unreadable identifiers
 */
export const looksSelfSigned = (one: Holder): boolean =>
  isSameName(one.subject, one.issuer) && mayBeFrom(one.extensions, one);
