/**
 * Marks development processes that other machines can reach, with one value for every program and manifest.
 */

/** The value of `EXPOSED_DEVELOPMENT`: it names the consequence. */
export const EXPOSED = 'anybody-can-sign-in';

/** Returns true if only this machine can reach an address that a process listens on. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
