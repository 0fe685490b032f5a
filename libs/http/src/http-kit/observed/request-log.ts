import { LogController, type FastifyReply, type FastifyRequest } from 'fastify';

/**
 * Logs one line per response, with the route's pattern: Fastify's own lines contain the address with its
 * query, which may hold phone numbers and signatures. Fastify's lines about faults (a broken stream, a late
 * response) stay.
 */
export class RequestLog extends LogController {
  override incomingRequest(): void {
    // The response's line has all details.
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
