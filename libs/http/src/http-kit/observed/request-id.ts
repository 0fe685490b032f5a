import { randomUUID } from 'node:crypto';

const REQUEST_ID = /^[\w.-]{8,64}$/;

/** Returns the sender's request id if it is valid, else a new one. */
export function requestIdOf(sent: string | string[] | undefined): string {
  return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : randomUUID();
}
