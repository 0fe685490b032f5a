/**
 * Verification of an account's e-mail address: an unverified address neither identifies the account nor
 * receives e-mails.
 */
import { Type } from 'typebox';
import { defineRoute, MessageBody } from '../kit.ts';

export const authEmailRoutes = {
  sendEmailCode: defineRoute({
    method: 'POST',
    path: '/users/profile/email',
    access: 'user',
    summary: "Send a code to the e-mail address of the caller's account",
    response: { 200: Type.Object({ message: Type.String(), resend_after_s: Type.Integer() }) },
  }),
  proveEmail: defineRoute({
    method: 'PUT',
    path: '/users/profile/email',
    access: 'user',
    summary: "Prove the e-mail address of the caller's account by the code sent to it",
    body: Type.Object({ otp: Type.String({ minLength: 6, maxLength: 6 }) }),
    response: { 200: MessageBody },
  }),
} as const;
