import type { IncomingMessage, ServerResponse } from 'node:http';
import { drainRequest } from '../http/answer.ts';
import type { Header } from '../http/security-headers.ts';
import { countShed, showGates } from '../metrics.ts';
import { endSoonAs } from '../proxy/last-writes.ts';
import type { Upstream } from '../proxy/upstream.ts';
import type { Lane } from './lane.ts';
import type { LoopGuard } from './loop-guard.ts';
import { retryAfterS } from './retry-after.ts';
import type { Urgency } from './urgency.ts';

const TICK_MS = 100;

/** What is to be known of a request to decide whether it can wait. */
export type Weight = { lane: Lane; urgency: Urgency };

/** Where a request is to go, and with which headers it is answered otherwise. */
type Bound = { upstream: Upstream; weight: Weight; defaults: readonly Header[] };

const flat = new WeakMap<readonly Header[], readonly string[]>();

/** The headers of every refusal, as the flat list that Node takes as it is; made once. */
function flatten(defaults: readonly Header[]): readonly string[] {
  const made = flat.get(defaults) ?? [...defaults.flat(), 'content-type', 'application/json; charset=utf-8'];
  flat.set(defaults, made);
  return made;
}

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
   * Answers 503 with `Retry-After` when there is no room. It is asked before anything that costs (the token, the labels):
   * under load most of what a gateway does is this.
   * @returns whether the request was answered
   */
  turnsAway(req: IncomingMessage, res: ServerResponse, bound: Bound): boolean {
    if (this.#loop.passes(bound.weight.urgency)) return this.hasLostRoom(req, res, bound);
    this.#answer(req, res, bound, 'gateway');
    return true;
  }

  /** The same for a request that had room, but may have lost it while its token was checked. */
  hasLostRoom(req: IncomingMessage, res: ServerResponse, bound: Bound): boolean {
    const { lane, urgency } = bound.weight;
    if (bound.upstream.gate.hasRoom(lane, urgency)) return false;
    this.#answer(req, res, bound, 'service');
    return true;
  }

  #answer(
    req: IncomingMessage,
    res: ServerResponse,
    { upstream, weight, defaults }: Bound,
    reason: 'service' | 'gateway',
  ): void {
    countShed(upstream.name, weight.urgency, reason);
    const { busyBody: body } = upstream;
    const wait = String(retryAfterS(weight.urgency));
    res.writeHead(503, [...flatten(defaults), 'content-length', String(body.length), 'retry-after', wait]);
    if (req.method === 'HEAD') res.end();
    else endSoonAs(res, body);
    drainRequest(req);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#loop.stop();
  }
}
