/** A software authenticator as in WebAuthn level 3 (§6): P-256, no attestation, one key per passkey. */
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import type { PasskeyAssertion, PasskeyRegistration } from '@karaar/contracts/auth/passkeys-http';
import { encodeCBOR, type CBORType } from '@levischuck/tiny-cbor';

const FLAGS = { present: 0x01, verified: 0x04, syncable: 0x08, withKey: 0x40 };

type Page = { origin: string; rpId: string };
type Options = {
  page?: Partial<Page>;
  /** True if it has verified its user. */
  verified?: boolean;
  /** Signature counter; by default one more than before. */
  counter?: number;
};

export class Authenticator {
  readonly id = randomBytes(32);
  readonly #key: { privateKey: KeyObject; publicKey: KeyObject };
  readonly #page: Page;
  counter = 0;

  constructor(page: Page = { origin: 'http://localhost:8080', rpId: 'localhost' }) {
    this.#key = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#page = page;
  }

  /** Returns the result of `navigator.credentials.create()`. */
  make(challenge: string, options: Options = {}): PasskeyRegistration {
    const jwk = this.#key.publicKey.export({ format: 'jwk' });
    const part = (text: string | undefined) => new Uint8Array(Buffer.from(text ?? '', 'base64url'));
    // COSE key, RFC 9053: kty EC2, alg ES256, crv P-256, x, y.
    const cose = new Map<number, CBORType>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, part(jwk.x)],
      [-3, part(jwk.y)],
    ]);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.id.length);
    const credential = [Buffer.alloc(16), length, this.id, Buffer.from(encodeCBOR(cose))];
    const authData = Buffer.concat([this.#data(FLAGS.withKey, options), ...credential]);
    const attestation = new Map<string, CBORType>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', new Uint8Array(authData)],
    ]);
    return {
      ...this.#named(),
      response: {
        clientDataJSON: this.#clientData('webauthn.create', challenge, options),
        attestationObject: Buffer.from(encodeCBOR(attestation)).toString('base64url'),
        transports: ['internal'],
      },
    };
  }

  /** Returns the result of `navigator.credentials.get()`. */
  sign(challenge: string, options: Options = {}): PasskeyAssertion {
    this.counter = options.counter ?? this.counter + 1;
    const clientDataJSON = this.#clientData('webauthn.get', challenge, options);
    const data = this.#data(0, options);
    const hash = createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest();
    return {
      ...this.#named(),
      response: {
        clientDataJSON,
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', Buffer.concat([data, hash]), this.#key.privateKey).toString('base64url'),
      },
    };
  }

  #named() {
    const id = this.id.toString('base64url');
    return { id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} };
  }

  #clientData(type: string, challenge: string, { page }: Options): string {
    const { origin } = { ...this.#page, ...page };
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString('base64url');
  }

  #data(flags: number, { page, verified = true }: Options): Buffer {
    const { rpId } = { ...this.#page, ...page };
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    const all = flags | FLAGS.present | FLAGS.syncable | (verified ? FLAGS.verified : 0);
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([all]), counter]);
  }
}
