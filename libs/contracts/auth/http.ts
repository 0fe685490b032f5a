/** The auth service's HTTP contract: sign-in, registration, profile, directory (spec §7 Auth, Users). */
import { Type, type Static } from 'typebox';
import { defineRoute, IdParams, IsoDateTime, MessageBody, nullable, Uuid } from '../kit.ts';
import { adminRoutes } from './admin-http.ts';
import { DeletionBlocker } from './deletion-blocker.ts';
import { GOVT_ID_TYPES, ID_IMAGE_LIMIT, LANGUAGES, PLAIN_EMAIL } from '../limits.ts';
import { authEmailRoutes } from './email-http.ts';
import { authInvitationsRoutes } from './invitations-http.ts';
import { LoginAnswer } from './login.ts';
import { AccountAct } from '../step-up.ts';
import { accountFields, contactFields } from './user-fields.ts';

export { DeletionBlocker } from './deletion-blocker.ts';
export { LoginAnswer } from './login.ts';

const GovtIdType = Type.Enum([...GOVT_ID_TYPES]);
const Language = Type.Enum([...LANGUAGES]);
const text = (maxLength: number) => Type.String({ minLength: 1, maxLength });
const Phone = Type.String({
  minLength: 10,
  maxLength: 40,
  description: 'A phone number of India as people write it: 10 digits with or without +91; kept with it',
});
const Email = Type.String({ format: 'email', pattern: PLAIN_EMAIL, maxLength: 254 });
const idImage = (required: boolean) =>
  ({ required, maxBytes: ID_IMAGE_LIMIT - 1, accept: ['image'] }) as const;

/** A user as shown to that user (spec §3 User). Image fields are signed paths on the API host. */
export const User = Type.Object({
  ...accountFields,
  email_proved: Type.Boolean(),
  created_at: IsoDateTime,
  updated_at: IsoDateTime,
  profile_pic: nullable(Type.String()),
  signature_pic: nullable(Type.String()),
  eye_pic: nullable(Type.String()),
  fingerprint: nullable(Type.String()),
  govt_id_type: nullable(Type.String()),
  govt_id_number: nullable(Type.String()),
  govt_id_image: nullable(Type.String()),
  /** The language of the user's interface and messages; null until the browser has sent it. */
  language: Type.Optional(nullable(Language)),
  /** A new number that the account gets after the waiting time, because the current one is lost. */
  phone_move: Type.Optional(nullable(Type.Object({ phone_no: Type.String(), effective_at: IsoDateTime }))),
});
export type User = Static<typeof User>;

/** A user as shown to others: phone and e-mail are masked unless they share a document (design §3). */
export const PublicUser = Type.Object(contactFields);
export type PublicUser = Static<typeof PublicUser>;

/** An open session of the user; only the first half of its IP address is stored. */
export const Session = Type.Object({
  _id: Type.String(),
  device: Type.String({ description: 'Browser and system, as the browser says; empty when it does not' }),
  network: Type.String({ description: 'The first half of the address: 103.21.x.x' }),
  created_at: IsoDateTime,
  expires_at: IsoDateTime,
  is_current: Type.Boolean(),
});
export type Session = Static<typeof Session>;

export { AdminUser, AuditEntry } from './admin-http.ts';

const Otp = Type.String({ minLength: 6, maxLength: 6 });
const Browser = Type.String({
  pattern: '^[A-Za-z0-9_-]{22,64}$',
  description:
    'A random secret that a browser keeps: once it has signed in, the sends that strangers ask for do not hold it up',
});

export const authRoutes = {
  ...authInvitationsRoutes,
  ...authEmailRoutes,
  sendOtp: defineRoute({
    method: 'POST',
    path: '/auth/send-otp',
    access: 'public',
    urgency: 'vital',
    summary: 'Send a one-time code to a phone; an unknown number gets the same answer in the same time',
    body: Type.Object({
      phone_no: Type.String({ pattern: '^\\+91[0-9]{10}$' }),
      /** The language of the user interface; an account's own language takes precedence. */
      language: Type.Optional(Language),
      browser: Type.Optional(Browser),
    }),
    response: {
      200: Type.Object({
        message: Type.String(),
        resend_after_s: Type.Integer(),
        challenge_id: Type.String({ description: 'For the login: this send has its own five tries' }),
        already_sent: Type.Boolean({
          description:
            'No other text was sent: the code of an earlier one, which has not expired, is to be entered',
        }),
      }),
    },
  }),
  login: defineRoute({
    method: 'POST',
    path: '/auth/login',
    access: 'public',
    urgency: 'vital',
    summary: 'Sign in with a phone number and its one-time code',
    body: Type.Object({
      phone_no: Phone,
      otp: Otp,
      /** From the response to the send; without it the latest code of the number is checked. */
      challenge_id: Type.Optional(Uuid),
      browser: Type.Optional(Browser),
    }),
    response: { 200: LoginAnswer },
  }),
  register: defineRoute({
    method: 'POST',
    path: '/auth/register',
    access: 'public',
    summary: 'Create an account with a government ID image',
    multipart: {
      fields: Type.Object({
        name: text(120),
        email: Email,
        phone_no: Phone,
        city: text(80),
        state: text(80),
        govt_id_type: GovtIdType,
        govt_id_number: text(40),
        language: Type.Optional(Language),
        /** The proof of an invitation's phone number: a user who registers with it is signed in at once. */
        contact_proof: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
      }),
      files: { govt_id_image: idImage(true) },
    },
    response: {
      201: Type.Object({
        message: Type.String(),
        redirect_to_login: Type.Boolean(),
        session: Type.Optional(LoginAnswer),
      }),
    },
    timeoutMs: 60_000,
  }),
  logout: defineRoute({
    method: 'POST',
    path: '/auth/logout',
    access: 'user',
    urgency: 'vital',
    summary: 'End this session; its token is refused everywhere within a second',
    response: { 200: MessageBody },
  }),
  listSessions: defineRoute({
    method: 'GET',
    path: '/auth/sessions',
    access: 'user',
    summary: "The caller's open sessions, newest first: device, time and network",
    response: { 200: Type.Array(Session) },
  }),
  endSession: defineRoute({
    method: 'DELETE',
    path: '/auth/sessions/:id',
    access: 'user',
    summary: 'Sign one device out; its token is refused everywhere within a second',
    params: IdParams,
    response: { 200: MessageBody },
  }),
  endAllSessions: defineRoute({
    method: 'DELETE',
    path: '/auth/sessions',
    access: 'user',
    summary: 'Sign out everywhere, this session included unless `except_current`',
    query: Type.Object({ except_current: Type.Optional(Type.Boolean()) }),
    response: { 200: Type.Object({ message: Type.String(), ended: Type.Integer() }) },
  }),
  beginStepUp: defineRoute({
    method: 'POST',
    path: '/auth/step-up',
    access: 'user',
    summary: "Send a code for one act that moves or ends the account to the account's present number",
    body: Type.Object({ act: AccountAct }),
    response: { 200: Type.Object({ message: Type.String(), resend_after_s: Type.Integer() }) },
  }),
  finishStepUp: defineRoute({
    method: 'POST',
    path: '/auth/step-up/finish',
    access: 'user',
    summary:
      'Confirm the act by that code: this session may perform exactly this act once, within five minutes',
    body: Type.Object({ act: AccountAct, otp: Otp }),
    response: { 200: MessageBody },
  }),
  profile: defineRoute({
    method: 'GET',
    path: '/users/profile',
    access: 'user',
    summary: "The caller's own record",
    response: { 200: User },
  }),
  updateProfile: defineRoute({
    method: 'PUT',
    path: '/users/profile',
    access: 'user',
    quickWithoutFiles: true,
    summary: "Change the caller's own record; fields that are not sent stay",
    multipart: {
      fields: Type.Object({
        name: Type.Optional(text(120)),
        email: Type.Optional(Email),
        /** Must equal the current number: another number needs a code (`changePhone`). */
        phone_no: Type.Optional(Phone),
        city: Type.Optional(text(80)),
        state: Type.Optional(text(80)),
        govt_id_type: Type.Optional(GovtIdType),
        govt_id_number: Type.Optional(text(40)),
        language: Type.Optional(Language),
      }),
      files: { govt_id_image: idImage(false) },
    },
    response: { 200: User },
    timeoutMs: 60_000,
  }),
  sendPhoneCode: defineRoute({
    method: 'POST',
    path: '/users/profile/phone',
    access: 'user',
    summary: 'Send a code to the number that the caller wants to use from now on',
    body: Type.Object({ phone_no: Phone }),
    response: { 200: Type.Object({ message: Type.String(), resend_after_s: Type.Integer() }) },
  }),
  changePhone: defineRoute({
    method: 'PUT',
    path: '/users/profile/phone',
    access: 'user',
    summary:
      "Change the caller's number, proved by the code sent to it and confirmed by a code to the present one; 409 when another account has it",
    body: Type.Object({ phone_no: Phone, otp: Otp }),
    response: { 200: User },
  }),
  movePhone: defineRoute({
    method: 'POST',
    path: '/users/profile/phone-move',
    access: 'user',
    summary:
      'Without the present number: the account gets the new one, proved by the code sent to it, after a waiting time of which the present number is told',
    body: Type.Object({ phone_no: Phone, otp: Otp }),
    response: { 200: User },
  }),
  cancelPhoneMove: defineRoute({
    method: 'DELETE',
    path: '/users/profile/phone-move',
    access: 'user',
    summary: 'Keep the present number; a sign-in with it does the same',
    response: { 200: User },
  }),
  exportProfile: defineRoute({
    method: 'GET',
    path: '/users/profile/export',
    access: 'user',
    summary: 'Everything that is kept about the caller, as a ZIP of JSON files and the ID image',
    response: { 200: 'binary' },
    timeoutMs: 120_000,
  }),
  deletionBlockers: defineRoute({
    method: 'GET',
    path: '/users/profile/deletion',
    access: 'user',
    summary: 'What stands against deleting the account now: money in the wallet, unfinished agreements',
    response: { 200: Type.Object({ blockers: Type.Array(DeletionBlocker) }) },
  }),
  deleteAccount: defineRoute({
    method: 'POST',
    path: '/users/profile/deletion',
    access: 'user',
    summary:
      "Delete the caller's account for good, confirmed by the own 8-character ID and a code to the own number; 409 while something stands against it",
    body: Type.Object({ confirm_char_id: Type.String({ minLength: 8, maxLength: 24 }) }),
    response: { 200: MessageBody },
    timeoutMs: 60_000,
  }),
  listUsers: defineRoute({
    method: 'GET',
    path: '/users/all',
    access: 'user',
    summary:
      'People of shared documents, paged; a search also finds anybody whose whole ID, phone or proved e-mail it is',
    query: Type.Object({
      search: Type.Optional(Type.String({ maxLength: 254 })),
      cursor: Type.Optional(Type.String({ maxLength: 200 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    }),
    response: { 200: Type.Array(PublicUser) },
  }),
  getUser: defineRoute({
    method: 'GET',
    path: '/users/:id',
    access: 'user',
    summary: 'One user, phone and e-mail masked unless a document is shared',
    params: IdParams,
    response: { 200: PublicUser },
  }),
  ...adminRoutes,
} as const;
