/** What a signed-in page will ask of the API before anything else (a test holds it against the screens' own queries). */

/** The layout around every screen: who this is, what is unread, what is in the wallet. */
const LAYOUT = ['/api/users/profile', '/api/messaging/unread-count', '/api/wallet/balance'];

/** Where people start. */
const DASHBOARD = [
  '/api/documents/work',
  '/api/documents/my-documents/counts',
  '/api/documents/pending-agreements',
];
const NEWEST_DOCUMENTS = '/api/documents/my-documents/page?sort=newest&limit=20';

/** Paths that show the dashboard or lead a signed-in user there. */
const HOMES = ['/', '/dashboard', '/login', '/register'];

/** The calls of a page. @param search the address's query, which may ask for another part of the list */
export function firstCalls(pathname: string, search: string): string[] {
  if (/^\/admin(\/|$)/.test(pathname)) return [];
  if (!HOMES.includes(pathname)) return LAYOUT;
  return [...LAYOUT, ...DASHBOARD, ...(search === '' ? [NEWEST_DOCUMENTS] : [])];
}
