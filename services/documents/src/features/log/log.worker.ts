/** Keeps the log going: places for what waits, verified inclusion, cosignatures. */
import { gauge } from '@karaar/platform/telemetry';
import { startWorker, type Worker } from '@karaar/platform/worker';
import type { Context } from '../../context.ts';
import { confirmInclusions } from './confirm.ts';
import { cosign, lookAtWitness } from './cosign.ts';
import { LogBroken } from './log.errors.ts';
import type { Witness } from './log-identity.ts';
import { sequence } from './sequence.ts';
import { WitnessWords } from './witness-words.ts';

const IDLE_MS = 1_000;
/** A witness that goes on not answering is asked again after this at the latest. */
const WITNESS_RETRY_MS = 10_000;

const halted = gauge({
  name: 'transparency_log_halted',
  help: '1 while the log cannot go on because what is stored is not what was signed, or a witness knows another log',
});
const awaiting = gauge({
  name: 'transparency_log_awaits_witness',
  help: '1 while this process adds nothing to the log because a witness has not answered since its start',
});
const witnessFailing = gauge({
  name: 'transparency_log_witness_failing',
  help: '1 while this witness does not cosign the newest checkpoint',
  labelNames: ['witness'],
});

/** Starts the loops of this process; the database keeps those of several processes apart. */
export function startLogWorker(ctx: Context): Worker {
  const words = new WitnessWords(ctx.log.witnesses.map(({ key }) => key.name));
  const poke = () => {
    for (const one of workers) one.poke();
  };
  const workers = [
    startWorker({
      restMs: IDLE_MS,
      turn: () => advance(ctx, words, poke),
      onError: (error) => tellOfHalt(ctx, error),
    }),
    ...ctx.log.witnesses.map((witness) => startWitnessWorker(ctx, witness, words, poke)),
  ];
  return { poke, stop: async () => void (await Promise.all(workers.map((one) => one.stop()))) };
}

/** True: there may be more to take. */
async function advance(ctx: Context, words: WitnessWords, extended: () => void): Promise<boolean> {
  const silent = words.requireNoFault();
  awaiting.set(silent ? 1 : 0);
  // Only the empty tree: a witness has nothing to compare before there is one.
  const taken = await sequence(ctx.db, ctx.log.identity, silent ? 0 : undefined);
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

function startWitnessWorker(ctx: Context, witness: Witness, words: WitnessWords, heard: () => void): Worker {
  const { name } = witness.key;
  return startWorker({
    restMs: IDLE_MS,
    longestRestMs: WITNESS_RETRY_MS,
    turn: async () => {
      const before = words.of(name);
      // What was recovered from a backup says itself that this witness has cosigned it: until it agrees, it is asked.
      if (before === 'agrees') await cosign(ctx.db, witness);
      else if (!(await lookAtWitness(ctx.db, witness))) return;
      words.agrees(name);
      if (before !== 'agrees') heard();
      witnessFailing.set({ witness: name }, 0);
    },
    onError: (error) => {
      witnessFailing.set({ witness: name }, 1);
      const broken = error instanceof LogBroken;
      if (broken) words.refuses(name, error.message);
      ctx.logger[broken ? 'error' : 'warn']({ err: error, witness: name }, 'the checkpoint was not cosigned');
    },
  });
}
