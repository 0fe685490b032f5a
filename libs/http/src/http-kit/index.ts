/** Fastify for every service: contracts, typed handlers, one error shape, health, drain. */
export { createHttpApp, type HttpApp, type HttpAppOptions } from './apps/app.ts';
export { serverOptions } from './apps/base-app.ts';
export { registerHealth } from './apps/health.ts';
export { ANSWER_SECONDS, onAnswered } from './observed/metrics.ts';
export { whenClosed } from './observed/when-closed.ts';
export { createInnerApp } from './apps/inner-app.ts';
export { ifMatch, isNotModified } from './etag.ts';
export { mountRoute, type MountOptions } from './route.ts';
export { mountWebhook, type WebhookCall } from './webhook.ts';
export type { BinaryBody, Form, Handler, HandlerResult, RouteContext, SpooledFile } from './types.ts';
export {
  listen,
  listenOnPorts,
  runService,
  type PortsConfig,
  type Drainable,
  type ListenAddress,
  type Service,
} from './apps/serve.ts';
export { sniffFile, type SniffedKind } from './input/sniff.ts';
export { bearerToken, checkAccess } from './limits/guard.ts';
export { bodyFollows } from './limits/pace.ts';
export { totalOf } from './input/spool.ts';
export { fromFramework } from './wire-errors.ts';
export { followAnswers, refuseBytes } from './input/unreadable.ts';
