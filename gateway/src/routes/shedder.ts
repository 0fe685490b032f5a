import type { TrafficClass } from '@karaar/contracts/traffic-class';
import type { Urgency } from '@karaar/contracts/urgency';
import { countShed, retryAfterS, showGates, type LoopGuard, type Part } from '../shedding/index.ts';
import type { FastifyReply } from 'fastify';
import { sendJson } from '../http/errors.ts';
import type { Upstream } from '../proxy/upstream.ts';

const TICK_MS = 100;

export type Weight = { trafficClass: TrafficClass; urgency: Urgency; part: Part; caller?: string };

/**
 * Refuses requests that would have to wait, the least urgent first, when a service or this process is
 * overloaded.
 */
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
   * Returns true if the service and this process have room for a request. Called before all expensive work
   * (token, headers), because under load most requests are refused.
   */
  hasRoom(upstream: Upstream, { trafficClass, urgency, ...who }: Weight): boolean {
    return this.#loop.passes(urgency) && upstream.gate.hasRoom(trafficClass, urgency, who);
  }

  turnAway(
    reply: FastifyReply,
    { name, title, gate }: Upstream,
    { trafficClass, urgency, ...who }: Weight,
  ): void {
    countShed(name, urgency, gate.hasRoom(trafficClass, urgency, who) ? 'gateway' : 'service');
    const detail = `${title} has too much to do right now. Please try again in a moment.`;
    sendJson(reply.header('retry-after', retryAfterS(urgency)), 503, { detail, code: 'overloaded' });
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#loop.stop();
  }
}
