/** Keeps the log going: places for what waits, verified inclusion, cosignatures. */
import { setTimeout as sleep } from 'node:timers/promises';
import { gauge } from '@karaar/platform/telemetry';
import type { Context } from '../../context.ts';
import { confirmInclusions } from './confirm.ts';
import { cosign } from './cosign.ts';
import { LogBroken } from './log.errors.ts';
import type { Witness } from './log-identity.ts';
import { sequence } from './sequence.ts';

const IDLE_MS = 1_000;
/** A witness that does not answer is asked again after this, and nobody waits for it. */
const WITNESS_RETRY_MS = 10_000;

const halted = gauge({
  name: 'transparency_log_halted',
  help: '1 while the log cannot go on because what is stored is not what was signed',
});
const witnessFailing = gauge({
  name: 'transparency_log_witness_failing',
  help: '1 while this witness does not cosign the newest checkpoint',
  labelNames: ['witness'],
});

export type LogWorker = { poke: () => void; stop: () => Promise<void> };

/** Starts the loops of this process; the database keeps those of several processes apart. */
export function startLogWorker(ctx: Context): LogWorker {
  let stopping = false;
  let pokes = 0;
  const resting = new Set<AbortController>();

  function poke(): void {
    pokes += 1;
    for (const one of resting) one.abort();
  }

  /** One loop: a step, then a rest until it is poked; a poke during the step is not lost. */
  async function loop(step: () => Promise<number>): Promise<void> {
    while (!stopping) {
      const seen = pokes;
      const restMs = await step();
      if (stopping || restMs === 0 || pokes !== seen) continue;
      const rest = new AbortController();
      resting.add(rest);
      await sleep(restMs, undefined, { signal: rest.signal }).catch(() => undefined);
      resting.delete(rest);
    }
  }

  const loops = [
    loop(() => advance(ctx, poke)),
    ...ctx.log.witnesses.map((witness) => loop(() => askWitness(ctx, witness))),
  ];
  return {
    poke,
    stop: async () => {
      stopping = true;
      poke();
      await Promise.all(loops);
    },
  };
}

/** Answers how long to rest. */
async function advance(ctx: Context, extended: () => void): Promise<number> {
  try {
    const taken = await sequence(ctx.db, ctx.log.identity);
    await confirmInclusions(ctx);
    halted.set(0);
    if (taken > 0) extended();
    return taken > 0 ? 0 : IDLE_MS;
  } catch (error) {
    const broken = error instanceof LogBroken;
    if (broken) halted.set(1);
    ctx.logger[broken ? 'error' : 'warn']({ err: error }, 'the transparency log did not advance');
    return IDLE_MS;
  }
}

async function askWitness(ctx: Context, witness: Witness): Promise<number> {
  const { name } = witness.key;
  try {
    await cosign(ctx.db, witness);
    witnessFailing.set({ witness: name }, 0);
    return IDLE_MS;
  } catch (error) {
    witnessFailing.set({ witness: name }, 1);
    const level = error instanceof LogBroken ? 'error' : 'warn';
    ctx.logger[level]({ err: error, witness: name }, 'the checkpoint was not cosigned');
    return WITNESS_RETRY_MS;
  }
}
