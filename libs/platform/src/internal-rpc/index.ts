/** Requests between services that go past the broker, from internal port to internal port (docs/adr/0073). */
export { createInternalRpcClient, type Ask } from './client.ts';
export { serveInternalRpc } from './serve.ts';
