/**
 * Structured logs (pino) without private data: the values of sensitive names are replaced at any depth,
 * tokens and inlined images are removed from texts, and an error is logged as type, message, code and stack,
 * without the extra properties in which drivers quote user data.
 */
import { pino, type Bindings, type DestinationStream, type Logger as PinoLogger } from 'pino';
import { currentTraceId } from '../telemetry/trace.ts';
import { redact, scrub, serializeError } from './redact.ts';

export type Logger = PinoLogger;
export { redact, scrub, serializeError } from './redact.ts';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

/**
 * Returns a logger.
 * @param options.name the service's name
 * @param options.level `info` by default
 * @param options.destination stdout by default
 */
export function createLogger(options: {
  name: string;
  level?: LogLevel;
  destination?: DestinationStream;
}): Logger {
  const logger = pino(
    {
      name: options.name,
      level: options.level ?? 'info',
      timestamp: pino.stdTimeFunctions.isoTime,
      base: { name: options.name, pid: process.pid },
      serializers: { err: serializeError },
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => redact(fields) as Record<string, unknown>,
      },
      hooks: {
        logMethod(args, method) {
          const scrubbed = args.map((arg) => (typeof arg === 'string' ? scrub(arg) : arg));
          method.apply(this, scrubbed as typeof args);
        },
      },
      mixin: () => {
        const traceId = currentTraceId();
        return traceId === undefined ? {} : { traceId };
      },
    },
    options.destination ?? pino.destination({ fd: 1, sync: true }),
  );
  // pino does not call its bindings formatter for the bindings of a child; children inherit this method.
  const child = logger.child;
  logger.child = function redactedChild(this: Logger, bindings, childOptions) {
    return child.call(this, redact(bindings) as Bindings, childOptions);
  } as typeof logger.child;
  return logger;
}
