import { LogController, type FastifyReply, type FastifyRequest } from 'fastify';

/**
 * One line per answer, by the route's pattern: Fastify's own lines hold the address with its query, in which there
 * are phone numbers and signatures. What Fastify says of faults (a stream that broke, a late answer) stays.
 */
export class RequestLog extends LogController {
  override incomingRequest(): void {
    // The answer's line says it all.
  }

  override requestCompleted(err: Error | null | undefined, req: FastifyRequest, reply: FastifyReply): void {
    const line = {
      method: req.method,
      route: req.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      userId: req.principal?.userId,
      caller: req.caller,
    };
    if (err) req.log.error({ ...line, err }, 'Answer failed');
    else req.log.info(line, 'Answered');
  }
}
