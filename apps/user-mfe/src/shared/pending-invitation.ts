/**
 * The invitation whose link was opened in this tab, kept through sign-in or registration until its document
 * is open.
 */

import { serverClock } from '@karaar/api-client';

export type PendingInvitation = {
  token: string;
  /** The proved number or address, and the proof. */
  contact?: string;
  proof?: string;
};

const KEY = 'invitation';
/** As long as a proof is valid. */
const KEPT_MS = 2 * 60 * 60_000;

export function keepInvitation(pending: PendingInvitation): void {
  sessionStorage.setItem(KEY, JSON.stringify({ ...pending, at: serverClock.now() }));
}

/** Returns null for none, an expired one, and invalid data. */
export function pendingInvitation(): PendingInvitation | null {
  try {
    const { token, contact, proof, at } = JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Partial<
      PendingInvitation & { at: number }
    >;
    if (!isToken(token) || typeof at !== 'number' || serverClock.now() - at > KEPT_MS) return null;
    return {
      token,
      ...(typeof contact === 'string' ? { contact } : {}),
      ...(typeof proof === 'string' ? { proof } : {}),
    };
  } catch {
    return null;
  }
}

export const forgetInvitation = (): void => sessionStorage.removeItem(KEY);

/** Returns true if the contact is proved, so that signing in leads back to the invitation. */
export const isProvedInvitation = (): boolean => pendingInvitation()?.proof !== undefined;

export const isToken = (text: unknown): text is string =>
  typeof text === 'string' && /^[\w-]{32}$/.test(text);
