import * as asn1 from 'asn1js';
import fc from 'fast-check';
import { concat, toHex } from '../bytes.ts';
import { oidText, readDer, readFirst, TAG, timeOf } from './der.ts';

const { value: values } = fc.letrec<{ value: asn1.BaseBlock }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.integer().map((value) => new asn1.Integer({ value })),
    fc
      .uint8Array({ maxLength: 400 })
      .map((bytes) => new asn1.OctetString({ valueHex: new Uint8Array(bytes).buffer })),
    fc.boolean().map((value) => new asn1.Boolean({ value })),
    fc.constant(new asn1.Null()),
    fc.array(tie('value'), { maxLength: 6 }).map((value) => new asn1.Sequence({ value })),
  ),
}));

describe('reading DER', () => {
  it('returns the values that a library encoded', () => {
    fc.assert(
      fc.property(values, (value) => {
        const bytes = new Uint8Array(value.toBER());
        const der = readDer(bytes);
        expect(toHex(der.bytes)).toBe(toHex(bytes));
        expect(toHex(concat(...der.children.map((child) => child.bytes)))).toBe(
          der.tag === TAG.sequence ? toHex(der.value) : '',
        );
      }),
    );
  });

  it('refuses every other encoding, and never reads past the end', () => {
    for (const bad of [
      [],
      [0x30],
      [0x30, 0x80, 0, 0],
      [0x04, 0x81, 0x01, 0],
      [0x04, 0x82, 0, 0x81],
      [0x30, 5, 0],
      [0x1f, 1, 0],
      [5, 0, 0],
      [0x04, 0x84, 255, 255, 255, 255],
    ]) {
      expect(() => readDer(Uint8Array.from(bad))).toThrow(RangeError);
    }
    expect(() =>
      readDer(Uint8Array.from(Array.from({ length: 60 }, (_, i) => (i % 2 ? 58 - i : 0x30)))),
    ).toThrow(RangeError);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          const { der, rest } = readFirst(bytes);
          expect(der.bytes.length + rest.length).toBe(bytes.length);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
    );
  });

  it('reads object identifiers and times', () => {
    for (const oid of ['1.2.840.113549.1.7.2', '2.5.29.15', '0.4.0.1862.1.1', '2.16.840.1.101.3.4.2.1']) {
      expect(oidText(readDer(new Uint8Array(new asn1.ObjectIdentifier({ value: oid }).toBER())))).toBe(oid);
    }
    const time = new Date('2026-11-21T06:00:00Z');
    for (const kind of [asn1.UTCTime, asn1.GeneralizedTime]) {
      expect(timeOf(readDer(new Uint8Array(new kind({ valueDate: time }).toBER())))).toEqual(time);
    }
    expect(
      timeOf(
        readDer(new Uint8Array(new asn1.UTCTime({ valueDate: new Date('1999-01-02T03:04:05Z') }).toBER())),
      ).getUTCFullYear(),
    ).toBe(1999);
    expect(() => timeOf(readDer(Uint8Array.of(0x17, 1, 0x30)))).toThrow(RangeError);
  });
});
