/**
 * Admins' passkeys: the routes, and the data of browser and authenticator in the JSON of WebAuthn level 3
 * (§5.1.8 to 5.1.10; docs/adr/0066). Bytes are base64url.
 */
import { Type, type Static } from 'typebox';
import { ADMIN_ROLES, defineRoute, IdParams, IsoDateTime, MessageBody, nullable } from '../kit.ts';

const Bytes = (maxLength: number) => Type.String({ pattern: '^[A-Za-z0-9_-]+$', maxLength });
const CredentialId = Bytes(1_366);
const PUBLIC_KEY = Type.Literal('public-key');
const Transports = Type.Array(Type.String({ maxLength: 20 }), { maxItems: 10 });
const Descriptor = Type.Object({
  id: CredentialId,
  type: PUBLIC_KEY,
  transports: Type.Optional(Transports),
});

export const CreationOptions = Type.Object({
  rp: Type.Object({ id: Type.String(), name: Type.String() }),
  user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
  challenge: Type.String(),
  pubKeyCredParams: Type.Array(Type.Object({ alg: Type.Integer(), type: PUBLIC_KEY })),
  timeout: Type.Integer(),
  excludeCredentials: Type.Array(Descriptor),
  authenticatorSelection: Type.Object({
    residentKey: Type.Literal('preferred'),
    userVerification: Type.Literal('required'),
  }),
  attestation: Type.Literal('none'),
});

export const RequestOptions = Type.Object({
  challenge: Type.String(),
  timeout: Type.Integer(),
  rpId: Type.String(),
  allowCredentials: Type.Array(Descriptor),
  userVerification: Type.Literal('required'),
});

/** A new passkey, as from `credential.toJSON()`. */
export const PasskeyRegistration = Type.Object({
  id: CredentialId,
  rawId: CredentialId,
  type: PUBLIC_KEY,
  clientExtensionResults: Type.Object({}),
  response: Type.Object({
    clientDataJSON: Bytes(4_096),
    attestationObject: Bytes(16_384),
    transports: Type.Optional(Transports),
  }),
});

/** A passkey's signature, as from `credential.toJSON()`. */
export const PasskeyAssertion = Type.Object({
  id: CredentialId,
  rawId: CredentialId,
  type: PUBLIC_KEY,
  clientExtensionResults: Type.Object({}),
  response: Type.Object({
    clientDataJSON: Bytes(4_096),
    authenticatorData: Bytes(4_096),
    signature: Bytes(2_048),
    userHandle: Type.Optional(Bytes(128)),
  }),
});

export type PasskeyRegistration = Static<typeof PasskeyRegistration>;
export type PasskeyAssertion = Static<typeof PasskeyAssertion>;

/** One attempt, which ends with its answer or after five minutes. */
const ceremony = { ceremony_id: Type.String({ minLength: 36, maxLength: 36 }) };
const name = Type.String({ minLength: 1, maxLength: 60, description: 'How the admin calls it' });
const password = Type.String({ minLength: 1, maxLength: 200 });

const Passkey = Type.Object({
  _id: Type.String(),
  name: Type.String(),
  created_at: IsoDateTime,
  last_used_at: nullable(IsoDateTime),
  /** True if the passkey is synchronised between devices, as phones and password managers do. */
  synced: Type.Boolean(),
});

export const passkeyRoutes = {
  beginPasskeySignIn: defineRoute({
    method: 'POST',
    path: '/admin/login/passkey',
    access: 'public',
    summary:
      'The second step of a sign-in that answered 401 `passkey_required`: what to `use`, or for an admin without a passkey, or with a recovery code, what to `add`. 401 `totp_required` asks an admin without a passkey for the code of the authenticator app first',
    body: Type.Object({
      username: Type.String({ minLength: 1, maxLength: 80 }),
      password,
      totp: Type.Optional(
        Type.String({ minLength: 6, maxLength: 24, description: 'Six digits, or a recovery code' }),
      ),
    }),
    response: {
      200: Type.Object({
        ...ceremony,
        use: Type.Optional(RequestOptions),
        add: Type.Optional(CreationOptions),
      }),
    },
  }),
  finishPasskeySignIn: defineRoute({
    method: 'POST',
    path: '/admin/login/passkey/finish',
    access: 'public',
    summary:
      'Sign in by what the authenticator answered; with a first passkey come recovery codes, shown this once',
    body: Type.Object({
      ...ceremony,
      used: Type.Optional(PasskeyAssertion),
      added: Type.Optional(PasskeyRegistration),
      name: Type.Optional(name),
    }),
    response: {
      200: Type.Object({
        token: Type.String(),
        username: Type.String(),
        role: Type.Enum([...ADMIN_ROLES]),
        recovery_codes: Type.Array(Type.String()),
      }),
    },
  }),
  passkeys: defineRoute({
    method: 'GET',
    path: '/admin/passkeys',
    access: 'admin',
    roles: ADMIN_ROLES,
    summary: 'The own passkeys, oldest first',
    response: { 200: Type.Array(Passkey) },
  }),
  beginPasskey: defineRoute({
    method: 'POST',
    path: '/admin/passkeys/begin',
    access: 'admin',
    roles: ADMIN_ROLES,
    summary: 'Begin to add a passkey: asks for the password again, an open screen is not enough',
    body: Type.Object({ password }),
    response: { 200: Type.Object({ ...ceremony, add: CreationOptions }) },
  }),
  addPasskey: defineRoute({
    method: 'POST',
    path: '/admin/passkeys',
    access: 'admin',
    roles: ADMIN_ROLES,
    summary:
      'Add the passkey that the authenticator made; with a first one come recovery codes, shown this once',
    body: Type.Object({ ...ceremony, added: PasskeyRegistration, name }),
    response: { 200: Type.Object({ recovery_codes: Type.Array(Type.String()) }) },
  }),
  renewRecoveryCodes: defineRoute({
    method: 'POST',
    path: '/admin/recovery-codes',
    access: 'admin',
    roles: ADMIN_ROLES,
    summary:
      'New recovery codes in place of those before, shown this once; 409 `no_second_factor` without one',
    body: Type.Object({ password }),
    response: { 200: Type.Object({ recovery_codes: Type.Array(Type.String()) }) },
  }),
  removePasskey: defineRoute({
    method: 'POST',
    path: '/admin/passkeys/:id/remove',
    access: 'admin',
    roles: ADMIN_ROLES,
    summary: 'Remove an own passkey; 409 `last_passkey` for the last one where passkeys are required',
    params: IdParams,
    body: Type.Object({ password }),
    response: { 200: MessageBody },
  }),
};
