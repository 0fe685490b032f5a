/** Whether a process lives, told apart from one that has got its number since. */
export { isAlive, processIdentity, signal, waitGone } from '../../bootstrap/liveness.mjs';
