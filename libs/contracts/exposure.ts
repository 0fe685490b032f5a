/** Development that others reach: one word for it in everything that starts, and in every manifest. */

/** The value of `EXPOSED_DEVELOPMENT`: it says what happens. */
export const EXPOSED = 'anybody-can-sign-in';

/** Whether only this machine reaches an address that a process listens on. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
