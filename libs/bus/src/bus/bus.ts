/** The bus of a service: its broker connection, RPC clients and servers, and consumers. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RetryOutcome } from '@karaar/contracts/dead-letters';
import type { EventContract, RpcContract, RpcRequest, RpcResponse } from '@karaar/contracts/kit';
import { EventConsumer, type ConsumeOptions, type Consumption } from './consuming/consumer.ts';
import { openLink, type BusLogger, type BusState, type Link } from './link.ts';
import { request, type RequestOptions } from './rpc/request.ts';
import { Server, type RpcHandler, type ServeOptions } from './rpc/serve.ts';

export type { BusState };

export type BusOptions = {
  /** One broker, or several separated by commas. */
  url: string;
  /** The service: its broker user, its queue group and the prefix of its durable consumers. */
  name: string;
  logger: BusLogger;
  /** False to throw at once if the broker is away; true by default. */
  waits?: boolean;
  /** Checks replies against their contract; by default on except in production. */
  checkReplies?: boolean;
};

export type Bus = {
  readonly name: string;
  readonly link: Link;
  /** Sends a request to a service; see `request.ts` for the errors. Never call it in a transaction. */
  request<R extends RpcContract>(
    rpc: R,
    data: RpcRequest<R>,
    options?: RequestOptions,
  ): Promise<RpcResponse<R>>;
  /**
   * Serves a subject, load-balanced over the processes of this service; resolves when the broker has the
   * subscription.
   */
  serve<R extends RpcContract>(rpc: R, handler: RpcHandler<R>, options?: ServeOptions): Promise<void>;
  /**
   * Starts a consumer that applies each event once; resolves when the broker has the consumer, or after 5 s.
   */
  consume<DB, E extends EventContract, Found = undefined>(
    options: ConsumeOptions<DB, E, Found>,
  ): Promise<Consumption>;
  /** Retries the dead letter of one event with the handler that failed. */
  retryDeadLetter(handler: string, eventId: string): Promise<RetryOutcome>;
  status(): BusState;
  /** For readiness: resolves when the broker answers. @throws Error if it does not within 2 s */
  check(): Promise<void>;
  /** Stops taking work, waits at most 10 s for running work, and disconnects. */
  close(): Promise<void>;
};

/** Connects a service to the broker; waits for it without a limit. */
export async function connectBus(options: BusOptions): Promise<Bus> {
  const link = await openLink(options);
  const checkReply = options.checkReplies ?? process.env['NODE_ENV'] !== 'production';
  const servers: { drain(): Promise<void> }[] = [];
  const consumers: { handlerName: string; consumption: Consumption }[] = [];

  return {
    name: options.name,
    link,
    request: (rpc, data, extra) => request(link, rpc, data, { ...extra, checkReply }),
    serve: async (rpc, handler, extra = {}) => {
      servers.push(new Server(link, rpc, handler, extra));
      await settled(link, link.nc.flush(), 2_000);
    },
    consume: async (consume) => {
      const consumer = new EventConsumer(link, consume);
      consumers.push({ handlerName: consume.handlerName, consumption: consumer });
      await settled(link, consumer.ready, 5_000);
      return consumer;
    },
    retryDeadLetter: async (handler, eventId) => {
      const mine = consumers.filter(({ handlerName }) => handlerName === handler);
      if (mine.length === 0) return 'unhandled';
      for (const { consumption } of mine) {
        const { applied, failed } = await consumption.retryDeadLetters(eventId);
        if (applied + failed > 0) return applied > 0 ? 'applied' : 'failed';
      }
      return 'gone';
    },
    status: () => link.state,
    check: async () => {
      if (link.state !== 'connected') throw new Error('the broker is away');
      if (!(await settled(link, link.nc.flush(), 2_000))) throw new Error('the broker does not answer');
    },
    close: async () => {
      const parts = [
        ...consumers.map(({ consumption }) => consumption.stop()),
        ...servers.map((server) => server.drain()),
      ];
      if (!(await settled(link, Promise.all(parts), 10_000)))
        link.logger.warn({}, 'bus closed with work under way');
      if (link.state === 'connected') await settled(link, link.nc.flush(), 1_000);
      await link.nc.close();
    },
  };
}

/** Waits for work that may fail or hang with the connection; returns true if it succeeded in time. */
async function settled(link: Link, work: Promise<unknown>, ms: number): Promise<boolean> {
  const timer = new AbortController();
  const late = sleep(ms, false, { signal: timer.signal }).catch(() => false);
  const done = work.then(
    () => true,
    (error: unknown) => {
      link.logger.warn({ err: error }, 'bus step failed');
      return false;
    },
  );
  const result = await Promise.race([done, late]);
  timer.abort();
  return result;
}
