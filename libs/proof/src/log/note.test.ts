import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import {
  ALGORITHM,
  checkpointBody,
  cosignedMessage,
  encodeCosignature,
  formatKey,
  noteKey,
  parseCheckpoint,
  parseKey,
  parseNote,
  signatureLine,
  verifyCosignature,
  verifyNote,
  type Algorithm,
  type NoteKey,
} from './note.ts';
import { leafData } from './leaf.ts';
import { textOf, toHex } from '../bytes.ts';

/** The example of Go's golang.org/x/mod/sumdb/note, from another implementation. */
const GO_KEY = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const GO_NOTE = `If you think cryptography is the answer to your problem,
then you don't know what your problem is.

— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
`;

function pair(name: string, algorithm: Algorithm): { key: NoteKey; secret: KeyObject } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  return { key: noteKey(name, algorithm, new Uint8Array(raw)), secret: privateKey };
}

const log = pair('karaar.example/log', ALGORITHM.ed25519);
const witness = pair('witness.example/w1', ALGORITHM.cosignatureV1);
const body = checkpointBody({ origin: 'karaar.example/log', size: 7, root: new Uint8Array(32).fill(9) });
const signed = (text: string): string =>
  `${text}\n${signatureLine(log.key, sign(null, Buffer.from(text), log.secret))}`;
function cosigned(note: string, time: number): string {
  const signature = sign(null, cosignedMessage(parseNote(note).body, time), witness.secret);
  return note + signatureLine(witness.key, encodeCosignature(time, signature));
}

describe('signed notes', () => {
  it("of Go's implementation are verified, and their keys parsed", () => {
    const key = parseKey(GO_KEY);
    expect(formatKey(key)).toBe(GO_KEY);
    expect(verifyNote(parseNote(GO_NOTE), key)).toBe(true);
    expect(verifyNote(parseNote(GO_NOTE.replace('answer', 'Answer')), key)).toBe(false);
  });

  it('are valid only for their own key and text, with exactly one signature', () => {
    const note = signed(body);
    expect(verifyNote(parseNote(note), log.key)).toBe(true);
    expect(verifyNote(parseNote(note), pair('karaar.example/log', ALGORITHM.ed25519).key)).toBe(false);
    expect(verifyNote(parseNote(note.replace('\n7\n', '\n8\n')), log.key)).toBe(false);
    const [line = ''] = note.split('\n').slice(-2);
    expect(verifyNote(parseNote(`${note}${line}\n`), log.key)).toBe(false);
  });

  it('that are malformed are refused', () => {
    const note = signed(body);
    for (const bad of ['', 'text', `${body}`, note.slice(0, -1), note.replace('— ', '- '), `\r${note}`]) {
      expect(() => parseNote(bad)).toThrow(RangeError);
    }
    for (const bad of ['', 'a+b+c', GO_KEY.replace('c74f20a3', 'c74f20a4'), GO_KEY.replace('ARpc', 'AhpC')]) {
      expect(() => parseKey(bad)).toThrow(RangeError);
    }
  });
});

describe('checkpoints', () => {
  it('[FINAL-032] are parsed again, and other texts are refused', () => {
    expect(parseCheckpoint(body)).toEqual({
      origin: 'karaar.example/log',
      size: 7,
      root: new Uint8Array(32).fill(9),
    });
    for (const bad of [
      '',
      'o\n',
      'o\n07\nAA==\n',
      'o\n-1\nAA==\n',
      'o\n7\nAA==\n',
      body.trimEnd(),
      `\n${body}`,
    ]) {
      expect(() => parseCheckpoint(bad)).toThrow(RangeError);
    }
  });
});

describe('cosignatures', () => {
  it('contain a time, and are valid only for that time, text and witness', () => {
    const note = cosigned(signed(body), 1_795_000_000);
    expect(verifyCosignature(parseNote(note), witness.key)).toBe(1_795_000_000);
    expect(verifyNote(parseNote(note), log.key)).toBe(true);
    expect(verifyCosignature(parseNote(signed(body)), witness.key)).toBeUndefined();
    const other = pair('witness.example/w1', ALGORITHM.cosignatureV1).key;
    expect(verifyCosignature(parseNote(note), other)).toBeUndefined();
    expect(verifyCosignature(parseNote(note.replace('\n7\n', '\n8\n')), witness.key)).toBeUndefined();
    const moved = parseNote(note);
    for (const signature of moved.signatures) if (signature.bytes.length === 72) signature.bytes[7]! ^= 1;
    expect(verifyCosignature(moved, witness.key)).toBeUndefined();
  });
});

describe('leaves', () => {
  const fact = { code: '7K3M9QXA', sha256: 'ab'.repeat(32), sealedAt: '2026-11-21T06:00:00.000Z' };

  it('[FINAL-033] are commitments that reveal no data and differ by their salt', () => {
    const [one, two] = [1, 2].map((n) => textOf(leafData(new Uint8Array(32).fill(n), fact)));
    expect(one).not.toBe(two);
    expect(one).toMatch(/^karaar\/final\/v1\n[A-Za-z0-9+/]{43}=\n$/);
    for (const part of [fact.code, fact.sha256, toHex(new Uint8Array(32).fill(1))]) {
      expect(one).not.toContain(part);
    }
    expect(() => leafData(new Uint8Array(16), fact)).toThrow(RangeError);
  });

  it('bind to each field', () => {
    const salt = new Uint8Array(32).fill(1);
    const all = [
      fact,
      { ...fact, code: '7K3M9QXB' },
      { ...fact, sha256: 'ac'.repeat(32) },
      { ...fact, sealedAt: '2026-11-21T06:00:00.001Z' },
    ].map((one) => textOf(leafData(salt, one)));
    expect(new Set(all).size).toBe(4);
  });
});
