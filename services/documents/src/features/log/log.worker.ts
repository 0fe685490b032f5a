/** Keeps the log going: places for what waits, verified inclusion, cosignatures. */
import { gauge } from '@karaar/platform/telemetry';
import { startWorker, type Worker } from '@karaar/platform/worker';
import type { Context } from '../../context.ts';
import { confirmInclusions } from './confirm.ts';
import { cosign } from './cosign.ts';
import { LogBroken } from './log.errors.ts';
import type { Witness } from './log-identity.ts';
import { sequence } from './sequence.ts';

const IDLE_MS = 1_000;
/** A witness that goes on not answering is asked again after this at the latest, and nobody waits for it. */
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

/** Starts the loops of this process; the database keeps those of several processes apart. */
export function startLogWorker(ctx: Context): Worker {
  const poke = () => {
    for (const one of workers) one.poke();
  };
  const workers = [
    startWorker({
      restMs: IDLE_MS,
      turn: () => advance(ctx, poke),
      onError: (error) => tellOfHalt(ctx, error),
    }),
    ...ctx.log.witnesses.map((witness) => startWitnessWorker(ctx, witness)),
  ];
  return { poke, stop: async () => void (await Promise.all(workers.map((one) => one.stop()))) };
}

/** True: there may be more to take. */
async function advance(ctx: Context, extended: () => void): Promise<boolean> {
  const taken = await sequence(ctx.db, ctx.log.identity);
  await confirmInclusions(ctx);
  halted.set(0);
  if (taken > 0) extended();
  return taken > 0;
}

function tellOfHalt(ctx: Context, error: unknown): void {
  const broken = error instanceof LogBroken;
  if (broken) halted.set(1);
  ctx.logger[broken ? 'error' : 'warn']({ err: error }, 'the transparency log did not advance');
}

function startWitnessWorker(ctx: Context, witness: Witness): Worker {
  const { name } = witness.key;
  return startWorker({
    restMs: IDLE_MS,
    longestRestMs: WITNESS_RETRY_MS,
    turn: async () => {
      await cosign(ctx.db, witness);
      witnessFailing.set({ witness: name }, 0);
    },
    onError: (error) => {
      witnessFailing.set({ witness: name }, 1);
      const level = error instanceof LogBroken ? 'error' : 'warn';
      ctx.logger[level]({ err: error, witness: name }, 'the checkpoint was not cosigned');
    },
  });
}
