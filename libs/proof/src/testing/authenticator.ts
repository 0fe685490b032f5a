/** A software authenticator: creates a passkey and signs with it, byte for byte as a device does. */
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import type { Assertion } from '../approval/assertion.ts';
import { challengeOf } from '../approval/assertion.ts';
import { concat, fromHex, toBase64url, utf8 } from '../bytes.ts';
import type { PasskeyAlgorithm } from '../approval/cose.ts';

const sha256 = (bytes: Uint8Array | string): Uint8Array =>
  new Uint8Array(createHash('sha256').update(bytes).digest());

const PRESENT_AND_VERIFIED = 0x05;
const ATTESTED = 0x40;

export type Site = { origin: string; rpId: string };
export type Signing = Site & {
  challenge: string;
  flags?: number;
  counter?: number;
  type?: string;
  crossOrigin?: boolean;
};

export class Authenticator {
  readonly id = randomBytes(32);
  readonly algorithm: PasskeyAlgorithm;
  readonly publicKey: Uint8Array;
  counter = 0;
  readonly #key: KeyObject;

  constructor(algorithm: PasskeyAlgorithm = 'ES256') {
    this.algorithm = algorithm;
    const { key, cose } = MAKERS[algorithm]();
    this.#key = key;
    this.publicKey = cose;
  }

  get credentialId(): string {
    return this.id.toString('base64url');
  }

  /** Returns the JSON response of `navigator.credentials.create`. */
  register({ origin, rpId, challenge }: Site & { challenge: string }) {
    const data = this.newData(rpId);
    const length = Uint8Array.of(0x59, data.length >> 8, data.length & 0xff);
    // {"fmt": "none", "attStmt": {}, "authData": …}
    const head = concat(fromHex('a363666d74646e6f6e65'), Uint8Array.of(0x67), utf8('attStmt'), fromHex('a0'));
    const attestation = concat(head, Uint8Array.of(0x68), utf8('authData'), length, data);
    return {
      ...this.#credential(),
      response: {
        clientDataJSON: toBase64url(clientData({ type: 'webauthn.create', challenge, origin })),
        attestationObject: toBase64url(attestation),
        transports: ['internal'],
      },
    };
  }

  newData(rpId: string): Uint8Array {
    return concat(
      sha256(rpId),
      Uint8Array.of(PRESENT_AND_VERIFIED | ATTESTED),
      new Uint8Array(4 + 16),
      Uint8Array.of(0, this.id.length),
      this.id,
      this.publicKey,
    );
  }

  /** Returns the JSON response of `navigator.credentials.get`. */
  answer(signing: Signing) {
    return { ...this.#credential(), response: this.sign(signing) };
  }

  signStatement(statement: string, site: Site & Partial<Signing>): Assertion {
    return this.sign({ challenge: challengeOf(statement), ...site });
  }

  sign({ origin, rpId, challenge, type = 'webauthn.get', crossOrigin, flags, counter }: Signing): Assertion {
    const said = clientData({
      type,
      challenge,
      origin,
      ...(crossOrigin === undefined ? {} : { crossOrigin }),
    });
    const count = new Uint8Array(4);
    this.counter += 1;
    new DataView(count.buffer).setUint32(0, counter ?? this.counter);
    const data = concat(sha256(rpId), Uint8Array.of(flags ?? PRESENT_AND_VERIFIED), count);
    return this.signBytes(said, data);
  }

  signBytes(said: Uint8Array, data: Uint8Array): Assertion {
    const digest = this.algorithm === 'EdDSA' ? null : 'sha256';
    const signature = sign(digest, concat(data, sha256(said)), this.#key);
    return {
      clientDataJSON: toBase64url(said),
      authenticatorData: toBase64url(data),
      signature: toBase64url(new Uint8Array(signature)),
    };
  }

  #credential() {
    const id = this.credentialId;
    return { id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} };
  }
}

/** Serializes client data as browsers do (WebAuthn §5.8.1.1). */
export const clientData = (said: {
  type: string;
  challenge: string;
  origin: string;
  crossOrigin?: boolean;
}) =>
  utf8(
    JSON.stringify({
      type: said.type,
      challenge: said.challenge,
      origin: said.origin,
      crossOrigin: said.crossOrigin ?? false,
    }),
  );

const bytesOf = (jwkPart: string | undefined): Uint8Array =>
  new Uint8Array(Buffer.from(jwkPart ?? '', 'base64url'));

const MAKERS: Record<PasskeyAlgorithm, () => { key: KeyObject; cose: Uint8Array }> = {
  ES256: () => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x, y } = publicKey.export({ format: 'jwk' });
    const cose = concat(fromHex('a5010203262001215820'), bytesOf(x), fromHex('225820'), bytesOf(y));
    return { key: privateKey, cose };
  },
  EdDSA: () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    return {
      key: privateKey,
      cose: concat(fromHex('a4010103272006215820'), bytesOf(publicKey.export({ format: 'jwk' }).x)),
    };
  },
  RS256: () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const n = bytesOf(publicKey.export({ format: 'jwk' }).n);
    return { key: privateKey, cose: concat(fromHex('a401030339010020590100'), n, fromHex('2143010001')) };
  },
};
