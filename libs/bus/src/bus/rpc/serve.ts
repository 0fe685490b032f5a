import { askedBy, callerOf, inboxOf } from '@karaar/contracts/broker/names';
import type { RpcContract, RpcRequest, RpcResponse } from '@karaar/contracts/kit';
import type { Msg, Subscription } from '@nats-io/transport-node';
import { AppError, forbidden, invalid, unavailable } from '@karaar/base/errors';
import { inSpan, withTraceparent } from '@karaar/observability/telemetry';
import type { Link } from '../link.ts';
import { rpcServed } from '../metrics.ts';
import { serviceOf, unavailableText } from '../names.ts';
import { checkMessage } from '../validate.ts';
import { failure, success, TIMEOUT, TRACEPARENT } from './wire.ts';

export type RpcContext = {
  /** The calling service: the broker does not let a process use another one's name. */
  caller: string;
  /** Milliseconds until the caller's deadline, as sent with the request. */
  timeoutMs: number;
};

export type RpcHandler<R extends RpcContract> = (
  data: RpcRequest<R>,
  context: RpcContext,
) => Promise<RpcResponse<R>>;

export type ServeOptions = {
  /** Maximum concurrent requests; further ones get 503 at once. 200 by default. */
  concurrency?: number;
  /** Decides which services may call; by default the callers of the contract. */
  mayAsk?: (caller: string) => boolean;
};

/** The error for a caller that may not use this subject. */
export const refusal = (): AppError => forbidden('wrong_audience', 'This credential is not for this call.');

export class Server<R extends RpcContract> {
  readonly #link: Link;
  readonly #rpc: R;
  readonly #handler: RpcHandler<R>;
  readonly #concurrency: number;
  readonly #mayAsk: (caller: string) => boolean;
  readonly #subscription: Subscription;
  readonly #running = new Set<Promise<void>>();

  constructor(link: Link, rpc: R, handler: RpcHandler<R>, options: ServeOptions) {
    this.#link = link;
    this.#rpc = rpc;
    this.#handler = handler;
    this.#concurrency = options.concurrency ?? 200;
    this.#mayAsk = options.mayAsk ?? ((caller) => rpc.callers.includes(caller));
    this.#subscription = link.nc.subscribe(askedBy(rpc.subject, '*'), {
      queue: link.name,
      callback: (error, message) => {
        if (error) link.logger.error({ err: error, subject: rpc.subject }, 'subscription ended');
        else this.#accept(message);
      },
    });
  }

  async drain(): Promise<void> {
    if (this.#link.state === 'connected') await this.#subscription.drain();
    await Promise.allSettled(this.#running);
  }

  #accept(message: Msg): void {
    if (this.#running.size >= this.#concurrency) {
      this.#respond(
        message,
        unavailable('service_unavailable', unavailableText(serviceOf(this.#rpc.subject))),
      );
      return;
    }
    const run = this.#answer(message).finally(() => this.#running.delete(run));
    this.#running.add(run);
  }

  async #answer(message: Msg): Promise<void> {
    const caller = callerOf(message.subject);
    // Reply to the caller's own inbox only: on any other subject the reply would be published in this
    // service's name.
    if (message.reply?.startsWith(`${inboxOf(caller)}.`) !== true) {
      this.#link.logger.warn({ subject: message.subject }, 'rpc without an inbox of its caller');
      return;
    }
    try {
      if (!this.#mayAsk(caller)) throw refusal();
      const data = this.#read(message);
      const context = { caller, timeoutMs: Number(message.headers?.get(TIMEOUT)) || this.#rpc.timeoutMs };
      const traceparent = message.headers?.get(TRACEPARENT);
      const result = await withTraceparent(traceparent, () =>
        inSpan(this.#rpc.subject, { kind: 'SERVER' }, () => this.#handler(data, context)),
      );
      rpcServed.inc({ service: this.#link.name, subject: this.#rpc.subject, status: '200' });
      this.#send(message, success(result));
    } catch (error) {
      if (!(error instanceof AppError)) {
        this.#link.logger.error({ err: error, subject: this.#rpc.subject }, 'rpc handler failed');
      }
      this.#respond(message, error);
    }
  }

  #read(message: Msg): RpcRequest<R> {
    let data: unknown;
    try {
      data = message.json();
    } catch {
      throw invalid([{ loc: 'body', msg: 'must be JSON' }]);
    }
    const checked = checkMessage<R['request']>(this.#rpc.request, data);
    if (!checked.ok) throw invalid(checked.faults);
    return checked.value;
  }

  #respond(message: Msg, error: unknown): void {
    const { status, text } = failure(error);
    rpcServed.inc({ service: this.#link.name, subject: this.#rpc.subject, status: String(status) });
    this.#send(message, text);
  }

  #send(message: Msg, reply: string): void {
    try {
      message.respond(reply);
    } catch (error) {
      // Too large, or the bus was closed meanwhile; the caller runs into its deadline.
      this.#link.logger.error({ err: error, subject: this.#rpc.subject }, 'rpc reply could not be sent');
    }
  }
}
