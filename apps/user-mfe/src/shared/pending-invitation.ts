/** The invitation whose link was opened in this tab, until its document is open: signing in or registering comes in between. */

import { serverClock } from '@karaar/api-client';

export type PendingInvitation = {
  /** Of the link. */
  token: string;
  /** Once the number or address is proved: what it is, and the proof. */
  contact?: string;
  proof?: string;
};

const KEY = 'invitation';
/** As long as a proof holds. */
const KEPT_MS = 2 * 60 * 60_000;

export function keepInvitation(pending: PendingInvitation): void {
  sessionStorage.setItem(KEY, JSON.stringify({ ...pending, at: serverClock.now() }));
}

/** Null for none, an old one, and anything that is not ours. */
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

/** Whether its person has been proved, so that signing in leads back to it. */
export const isProvedInvitation = (): boolean => pendingInvitation()?.proof !== undefined;

export const isToken = (text: unknown): text is string =>
  typeof text === 'string' && /^[\w-]{32}$/.test(text);
