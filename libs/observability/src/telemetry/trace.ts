import { AsyncLocalStorage } from 'node:async_hooks';
import {
  context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Attributes,
  type Context,
  type ContextManager,
  type Span,
  type SpanContext,
} from '@opentelemetry/api';
import { freshIds } from './outer-trace.ts';

/** Without an SDK the API propagates no context; this manager propagates it along async calls. */
class AsyncContext implements ContextManager {
  readonly #storage = new AsyncLocalStorage<Context>();

  active(): Context {
    return this.#storage.getStore() ?? ROOT_CONTEXT;
  }
  with<A extends unknown[], F extends (...args: A) => ReturnType<F>>(
    ctx: Context,
    fn: F,
    thisArg?: ThisParameterType<F>,
    ...args: A
  ): ReturnType<F> {
    return this.#storage.run(ctx, () => fn.call(thisArg as ThisParameterType<F>, ...args));
  }
  bind<T>(ctx: Context, target: T): T {
    if (typeof target !== 'function') return target;
    // `typeof` narrows T to a function of unknown signature.
    const fn = target as unknown as (...args: unknown[]) => unknown;
    // The wrapper has the same arguments and result, so the same type.
    return ((...args: unknown[]) => this.#storage.run(ctx, () => fn(...args))) as unknown as T;
  }
  enable(): this {
    return this;
  }
  disable(): this {
    this.#storage.disable();
    return this;
  }
}

let ready = false;
let recording = false;
let recordedShare = 1;

/**
 * Gives each trace that begins here a root span, so that the sampler decides about it.
 * @param share share of the traces of external clients that are recorded, 0 to 1
 */
export function recordTraces(share: number): void {
  recording = true;
  recordedShare = share;
}

/** Sets our context manager unless an SDK has already set its own (the API keeps the first). */
function ensureContext(): void {
  if (ready) return;
  ready = true;
  context.setGlobalContextManager(new AsyncContext());
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/**
 * Returns the span context of a W3C `traceparent`; undefined for an invalid one (then a new trace begins).
 */
function parse(traceparent: string | undefined): SpanContext | undefined {
  const match = TRACEPARENT.exec(traceparent ?? '');
  const [, version, traceId, spanId, flags, rest] = match ?? [];
  if (!traceId || !spanId || !flags || version === 'ff' || (version === '00' && rest)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true };
}

const fresh = (): SpanContext => ({ ...freshIds(), traceFlags: TraceFlags.SAMPLED });

/** Returns the current W3C `traceparent`, to send with a call or event; undefined outside a trace. */
export function currentTraceparent(): string | undefined {
  const span = trace.getSpanContext(context.active());
  if (!span) return undefined;
  return `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, '0')}`;
}

/** Returns the current trace context as HTTP headers; empty outside a trace. */
export function traceHeaders(): Record<string, string> {
  const traceparent = currentTraceparent();
  return traceparent === undefined ? {} : { traceparent };
}

/** Returns the current trace id, for logs. */
export function currentTraceId(): string | undefined {
  return trace.getSpanContext(context.active())?.traceId;
}

/** Runs `fn` and all that it awaits in the given trace, or in a new one if it is missing or malformed. */
export function withTraceparent<T>(traceparent: string | undefined, fn: () => T): T {
  ensureContext();
  const remoteParent = parse(traceparent);
  if (!remoteParent && recording) return context.with(ROOT_CONTEXT, fn);
  return context.with(trace.setSpanContext(ROOT_CONTEXT, remoteParent ?? fresh()), fn);
}

/**
 * Runs `fn` in a new span, which is recorded only if an SDK is attached. An error is recorded on the span
 * (its type only, since texts may quote user data) and rethrown.
 */
export async function inSpan<T>(
  name: string,
  options: { kind?: keyof typeof SpanKind; attributes?: Attributes },
  fn: (span: Span) => Promise<T>,
): Promise<T> {
  ensureContext();
  const tracer = trace.getTracer('karaar');
  const kind = SpanKind[options.kind ?? 'INTERNAL'];
  return tracer.startActiveSpan(name, { kind, attributes: options.attributes ?? {} }, async (span) => {
    try {
      return await fn(span);
    } catch (err) {
      const type = err instanceof Error ? err.name : 'Error';
      span.setAttribute('error.type', type);
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw err;
    } finally {
      span.end();
    }
  });
}

/** A span that its caller ends, for work that is not a promise. */
export type OpenSpan = { traceparent: string; end: (attributes: Attributes, failed: boolean) => void };

/**
 * Opens the root span of an external client's request; undefined while nothing is recorded. The client's
 * trace id is kept, so that both sides can refer to the request; its sampling flag is ignored.
 * @param traceparent the client's, if it sent one
 */
export function openServerSpan(
  traceparent: string | undefined,
  name: string,
  attributes: Attributes,
): OpenSpan | undefined {
  if (!recording) return undefined;
  const remoteParent = parse(traceparent);
  const ourFlags = Math.random() < recordedShare ? TraceFlags.SAMPLED : TraceFlags.NONE;
  const parent = remoteParent
    ? trace.setSpanContext(ROOT_CONTEXT, { ...remoteParent, traceFlags: ourFlags })
    : ROOT_CONTEXT;
  const span = trace.getTracer('karaar').startSpan(name, { kind: SpanKind.SERVER, attributes }, parent);
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
    end: (more, failed) => {
      span.setAttributes(more);
      if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

/** Records finished work as a child of the current span, if that is recorded. */
export function noteSpan(name: string, durationMs: number, attributes: Attributes, failed: boolean): void {
  if (!recording || !trace.getSpan(context.active())?.isRecording()) return;
  const end = Date.now();
  const span = trace
    .getTracer('karaar')
    .startSpan(name, { kind: SpanKind.CLIENT, attributes, startTime: end - durationMs });
  if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end(end);
}
