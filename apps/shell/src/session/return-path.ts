/** The location that was requested before sign-in. Kept for this tab only. */
import { serverClock, type SignInReason } from '@karaar/api-client';
import { screenRoutes } from '@karaar/contracts/screens';
import { matchPath } from 'react-router';

/** The kind of sign-in. */
export type Audience = 'user' | 'admin';

type Stored = { to: string; owner: string | null; at: number };

/** Milliseconds after which the requested page is forgotten. */
const KEPT_MS = 60 * 60_000;

const key = (audience: Audience) => `return_to_${audience}`;

/**
 * Returns true for a screen of ours for that audience. The storage is not trusted: only a path of the route
 * table is accepted, never another origin in any spelling.
 */
export function isReturnable(to: string, audience: Audience): boolean {
  if (!/^\/(?![/\\])/.test(to) || /[\\\s]/.test(to)) return false;
  const url = new URL(to, 'https://karaar.invalid');
  if (url.origin !== 'https://karaar.invalid') return false;
  const route = screenRoutes.find(({ path }) => matchPath(path, url.pathname) !== null);
  return route?.access === audience;
}

/** @param owner the id of the user whose session ended, if known */
export function rememberReturn(audience: Audience, to: string, owner: string | null): void {
  if (!isReturnable(to, audience)) return;
  const stored: Stored = { to, owner, at: serverClock.now() };
  sessionStorage.setItem(key(audience), JSON.stringify(stored));
}

/**
 * Returns the path to open after sign-in, or null.
 * @param visitor the user who has signed in; another user than before is not led to that user's page
 */
export function returnPath(audience: Audience, visitor: string | null): string | null {
  const stored = remembered(audience);
  return stored && (stored.owner === null || stored.owner === visitor) ? stored.to : null;
}

/** Returns the reason why a user signs in: an expired session, or a link to a document. */
export function signInReason(): SignInReason | null {
  const stored = remembered('user');
  if (!stored) return null;
  if (stored.owner !== null) return 'ended';
  return DOCUMENT_LINK.test(stored.to) ? 'document' : null;
}

/** A document by its id, or an invitation to join with the code. */
const DOCUMENT_LINK = /^\/document\/[0-9a-f]{8}-|[?&]code=/;

function remembered(audience: Audience): Stored | null {
  const stored = parse(sessionStorage.getItem(key(audience)));
  if (!stored || serverClock.now() - stored.at > KEPT_MS || !isReturnable(stored.to, audience)) return null;
  return stored;
}

export function forgetReturn(audience: Audience): void {
  sessionStorage.removeItem(key(audience));
}

function parse(text: string | null): Stored | null {
  try {
    const value = JSON.parse(text ?? 'null') as Partial<Stored> | null;
    if (typeof value?.to !== 'string' || typeof value.at !== 'number') return null;
    return { to: value.to, at: value.at, owner: typeof value.owner === 'string' ? value.owner : null };
  } catch {
    // Invalid data: no path to return to.
    return null;
  }
}
