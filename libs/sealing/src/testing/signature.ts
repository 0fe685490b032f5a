import { fromBER } from 'asn1js';
import * as pki from 'pkijs';

/** The parts of a sealed PDF's signature, parsed without the library that wrote it. */
export interface TakenApart {
  byteRange: [number, number, number, number];
  /** The signed bytes: everything but the hex of /Contents. */
  content: Buffer;
  cms: Buffer;
  signed: pki.SignedData;
}

export function takeApart(pdf: Uint8Array): TakenApart {
  const bytes = Buffer.from(pdf);
  const text = bytes.toString('latin1');
  const match = /\/ByteRange \[(\d+) +(\d+) +(\d+) +(\d+) *\]/.exec(text);
  const [a = 0, b = 0, c = 0, d = 0] = (match?.slice(1) ?? []).map(Number);
  const padded = Buffer.from(text.slice(b + 1, c - 1), 'hex');
  const asn1 = fromBER(padded);
  const cms = padded.subarray(0, asn1.offset);
  const info = new pki.ContentInfo({ schema: asn1.result });
  return {
    byteRange: [a, b, c, d],
    content: Buffer.concat([bytes.subarray(a, a + b), bytes.subarray(c, c + d)]),
    cms,
    signed: new pki.SignedData({ schema: info.content }),
  };
}
