import type { Lane } from '@karaar/contracts/lane';
import type { Urgency } from '@karaar/contracts/urgency';
import { countShed, retryAfterS, showGates, type LoopGuard } from '@karaar/platform/shedding';
import type { FastifyReply } from 'fastify';
import { sendJson } from '../http/errors.ts';
import type { Upstream } from '../proxy/upstream.ts';

const TICK_MS = 100;

/** What is to be known of a request to decide whether it can wait. */
export type Weight = { lane: Lane; urgency: Urgency };

/** Turns requests away before they would wait, the least urgent first: for a service without room, or for this process. */
export class Shedder {
  readonly #loop: LoopGuard;
  readonly #timer: NodeJS.Timeout;

  constructor(upstreams: readonly Upstream[], loop: LoopGuard) {
    this.#loop = loop;
    this.#timer = setInterval(() => {
      loop.tick();
      for (const { gate } of upstreams) gate.tick();
    }, TICK_MS);
    showGates(upstreams, () => loop.level);
  }

  /**
   * Is there room for a request, at its service and in this process? Asked before anything that costs (the token, the
   * labels): under load most of what a gateway does is to turn away.
   */
  hasRoom(upstream: Upstream, { lane, urgency }: Weight): boolean {
    return this.#loop.passes(urgency) && upstream.gate.hasRoom(lane, urgency);
  }

  /** Answers 503 with a `Retry-After` in place of a service without room. */
  turnAway(reply: FastifyReply, { name, title, gate }: Upstream, { lane, urgency }: Weight): void {
    countShed(name, urgency, gate.hasRoom(lane, urgency) ? 'gateway' : 'service');
    const detail = `${title} has too much to do right now. Please try again in a moment.`;
    sendJson(reply.header('retry-after', retryAfterS(urgency)), 503, { detail, code: 'overloaded' });
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#loop.stop();
  }
}
