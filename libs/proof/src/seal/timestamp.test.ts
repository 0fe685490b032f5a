/** Timestamps whose certificate or content OpenSSL refuses (RFC 3161 §2.3, §2.4.2). */
import {
  attributesOf,
  certificateBody,
  newKeys,
  signed,
  signedData,
  timestampInfo,
  TST_INFO,
  usage,
  type Extensions,
  type Party,
} from '../differential/authority.ts';
import { bool, encode, nothing, octets, oid, seq, tagged, type Node } from '../differential/encode.ts';
import { CONTENT } from '../differential/subjects.ts';
import { readCertificate } from './certificate.ts';
import { readDer } from './der.ts';
import { verifyTimestamp } from './timestamp.ts';

const PURPOSES = '2.5.29.37';
const timeStamping = seq(oid('1.3.6.1.5.5.7.3.8'));

/** Returns whether a timestamp is valid; undefined if it cannot be read. */
async function holds(certificate: Extensions, info: Node): Promise<boolean | undefined> {
  const [rootKeys, keys] = [await newKeys(), await newKeys()];
  const named = { name: 'Stamper', serial: 3, keys };
  const root = encode(
    await signed(certificateBody('root', { name: 'Root', serial: 1, keys: rootKeys }), rootKeys),
  );
  const body = certificateBody('stamp', named, 'Root', certificate);
  const by: Party = { ...named, certificate: encode(await signed(body, rootKeys)) };
  const content = encode(info);
  const token = await signedData(attributesOf(TST_INFO, content, by), { by, contentType: TST_INFO, content });
  const verify = verifyTimestamp(readDer(encode(token)), CONTENT, [readCertificate(root)]);
  return verify.then(
    ({ ok }) => ok,
    (error: unknown) => {
      if (error instanceof RangeError) return undefined;
      throw error;
    },
  );
}

const info = (name = 'Stamper', ...more: Node[]): Node => timestampInfo(CONTENT, name, ...more);
const extension = (isCritical: boolean): Node =>
  tagged(1, seq(oid('1.2.3.9'), ...(isCritical ? [bool(true)] : []), octets(encode(nothing))));

it.each<[string, Extensions, Node, boolean | undefined]>([
  ['with every optional field', {}, info(), true],
  ['by a key for signatures that cannot be denied', { '2.5.29.15': [true, usage(0, 1)] }, info(), true],
  ['by a key that also encrypts', { '2.5.29.15': [true, usage(0, 2)] }, info(), false],
  ['by a certificate whose purpose is not critical', { [PURPOSES]: [false, timeStamping] }, info(), false],
  ['that names its authority in capitals', {}, info('STAMPER'), true],
  ['that names another authority', {}, info('Other'), false],
  ['with an extension', {}, info('Stamper', extension(false)), true],
  ['with a critical extension', {}, info('Stamper', extension(true)), undefined],
  ['with an unreadable extension', {}, info('Stamper', tagged(1, nothing)), undefined],
])('a timestamp %s is read as it is', async (_how, certificate, about, isValid) => {
  expect(await holds(certificate, about)).toBe(isValid);
});
