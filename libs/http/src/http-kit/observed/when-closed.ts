import type { ServerResponse } from 'node:http';

/**
 * Calls `work` once a response is over, sent or not. `once` would remove the listener; in a large process the response
 * then survives until a full garbage collection, which halves the gateway's throughput.
 */
export const whenClosed = (response: ServerResponse, work: () => void): void =>
  void response.on('close', work);
