/** The first API requests of a signed-in page (a test compares them with the screens' queries). */

/** The layout: profile, unread count and balance. */
const LAYOUT = ['/api/users/profile', '/api/messaging/unread-count', '/api/wallet/balance'];

const DASHBOARD = [
  '/api/documents/work',
  '/api/documents/my-documents/counts',
  '/api/documents/pending-agreements',
  '/api/payments/due',
  '/api/wallet/waiting-top-ups',
];
const NEWEST_DOCUMENTS = '/api/documents/my-documents/page?archived=false&sort=newest&limit=20';

/** Paths that show the dashboard or redirect a signed-in user there. */
const HOMES = ['/', '/dashboard', '/login', '/register'];

/**
 * Returns the requests of a page.
 * @param search the address's query, which may select another part of the list
 */
export function firstCalls(pathname: string, search: string): string[] {
  if (/^\/admin(\/|$)/.test(pathname)) return [];
  if (!HOMES.includes(pathname)) return LAYOUT;
  return [...LAYOUT, ...DASHBOARD, ...(search === '' ? [NEWEST_DOCUMENTS] : [])];
}
