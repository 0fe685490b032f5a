import { gauge } from '@karaar/observability/telemetry';
import { startWorker, type Worker } from '@karaar/base/worker';
import type { Context, Witness } from '../../context.ts';
import { confirmInclusions } from './confirm.ts';
import { cosign, lookAtWitness } from './cosign.ts';
import { DatabaseMoved, LogBroken } from './log.errors.ts';
import { historyOf } from './log.repository.ts';
import { sequence } from './sequence.ts';
import { WitnessWords } from './witness-words.ts';

const IDLE_MS = 1_000;
/** The longest pause before a witness that does not answer is asked again. */
const WITNESS_RETRY_MS = 10_000;

const halted = gauge({
  name: 'transparency_log_halted',
  help: '1 while the log cannot go on because what is stored is not what was signed, or a witness knows another log',
});
const awaiting = gauge({
  name: 'transparency_log_awaits_witness',
  help: '1 while this process adds nothing to the log because too few witnesses have agreed with it since its start',
});
const witnessFailing = gauge({
  name: 'transparency_log_witness_failing',
  help: '1 while this witness does not cosign the newest checkpoint',
  labelNames: ['witness'],
});

const witnessRefusing = gauge({
  name: 'transparency_log_witness_refusing',
  help: '1 while this witness says that it knows another log',
  labelNames: ['witness'],
});

/** Starts the loops of this process. Locks in the database keep the loops of several processes apart. */
export function startLogWorker(ctx: Context): Worker {
  const words = new WitnessWords(
    ctx.log.witnesses.map(({ key }) => key.name),
    ctx.log.quorum,
  );
  const wake = () => {
    for (const one of workers) one.wake();
  };
  const workers = [
    startWorker({
      restMs: IDLE_MS,
      turn: () => advance(ctx, words, wake),
      onError: (error) => reportHalt(ctx, error),
    }),
    ...ctx.log.witnesses.map((witness) => startWitnessWorker(ctx, witness, words, wake)),
  ];
  return { wake, stop: async () => void (await Promise.all(workers.map((one) => one.stop()))) };
}

async function advance(ctx: Context, words: WitnessWords, extended: () => void): Promise<boolean> {
  const awaits = words.awaitsQuorum();
  awaiting.set(awaits ? 1 : 0);
  const taken = await sequenceWhereAgreed(ctx, words, awaits);
  if (taken === 'moved') {
    awaiting.set(1);
    extended();
    return false;
  }
  await confirmInclusions(ctx);
  halted.set(0);
  if (taken > 0) extended();
  return taken > 0;
}

/**
 * If the database was recovered to an earlier time while this process ran, the process asks its witnesses
 * again, like a new process.
 */
async function sequenceWhereAgreed(
  ctx: Context,
  words: WitnessWords,
  awaits: boolean,
): Promise<number | 'moved'> {
  try {
    // Signs only the empty tree until a quorum agrees: without a tree, a witness has nothing to compare.
    const most = awaits ? 0 : undefined;
    return await sequence(ctx.db, ctx.log.identity, { most, histories: words.histories() });
  } catch (error) {
    if (!(error instanceof DatabaseMoved)) throw error;
    words.forget();
    ctx.logger.warn({ err: error }, 'witnesses are asked again before the log grows');
    return 'moved';
  }
}

function reportHalt(ctx: Context, error: unknown): void {
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
      // A recovered database also has this witness's cosignature, so the witness is asked until it agrees.
      if (before === 'agrees') {
        // Documents may wait for this cosignature.
        if (await cosign(ctx.db, witness)) heard();
      } else {
        // Read before the request, so that the answer never counts for a newer history than its own.
        const history = await historyOf(ctx.db);
        if (!(await lookAtWitness(ctx.db, witness))) return;
        words.agrees(name, history);
        heard();
      }
      witnessFailing.set({ witness: name }, 0);
      witnessRefusing.set({ witness: name }, 0);
    },
    onError: (error) => {
      witnessFailing.set({ witness: name }, 1);
      const broken = error instanceof LogBroken;
      if (broken) {
        words.refuses(name, error.message);
        witnessRefusing.set({ witness: name }, 1);
      }
      ctx.logger[broken ? 'error' : 'warn']({ err: error, witness: name }, 'the checkpoint was not cosigned');
    },
  });
}
