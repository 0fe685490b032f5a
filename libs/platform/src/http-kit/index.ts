/** Fastify as every service uses it: contracts in, typed handlers, one error shape, health, drain. */
export { createHttpApp, type HttpApp, type HttpAppOptions } from './app.ts';
export { doorOptions } from './base-app.ts';
export { registerHealth } from './health.ts';
export { ANSWER_SECONDS, onAnswered } from './metrics.ts';
export { createInnerApp } from './inner-app.ts';
export { ifMatch, isNotModified } from './etag.ts';
export { mountRoute, type MountOptions } from './route.ts';
export type { BinaryBody, Form, Handler, HandlerResult, RouteContext, SpooledFile } from './types.ts';
export {
  listen,
  openDoors,
  runService,
  type DoorsConfig,
  type Drainable,
  type ListenAddress,
  type Service,
} from './serve.ts';
export { sniffFile, type SniffedKind } from './sniff.ts';
export { bearerToken, checkAccess } from './guard.ts';
export { totalOf } from './spool.ts';
export { fromFramework } from './wire-errors.ts';
export { followAnswers, refuseBytes } from './unreadable.ts';
