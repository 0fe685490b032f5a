/** Step-up: actions that a user confirms with a passkey (docs/adr/0085). */
export { confirmedAct, grantOf, type Confirmed } from './confirming.ts';
export { stepUpWaiting } from './errors.ts';
export { GRANT_TTL_S, readGrant, signGrant, type GrantedAct } from './grants.ts';
