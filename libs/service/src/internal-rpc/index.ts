/** Requests between services from internal port to internal port, without the broker (docs/adr/0073). */
export { createInternalRpcClient, type Ask } from './client.ts';
export { serveInternalRpc } from './serve.ts';
