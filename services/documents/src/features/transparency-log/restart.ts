/** Restarts the log after a recovery to an earlier time, under another name and with a signed note. */
import { inTransaction } from '@karaar/db';
import { signatureLine } from '@karaar/proof/log/note';
import { restartBody } from '@karaar/proof/log/restart';
import type { Db } from '../../db/schema.ts';
import { lookAtWitness } from './cosign.ts';
import { LogBroken } from './log.errors.ts';
import { insertRestart, latestCheckpoint, lockLog } from './log.repository.ts';
import { extend, requireOurs } from './sequence.ts';
import type { LogIdentity, Witness } from '../../context.ts';

export class RestartRefused extends Error {
  override name = 'RestartRefused';
}

/**
 * Ends the log at the database's state and begins the log `to`, whose first new entry is the note about the
 * restart.
 * @returns the note
 * @throws RestartRefused if no witness knows another log, LogBroken if the stored tree is not the signed one,
 * Error if a witness does not answer
 */
export async function restartLog(
  db: Db,
  { from, to, witnesses }: { from: LogIdentity; to: LogIdentity; witnesses: readonly Witness[] },
): Promise<string> {
  if (from.key.name === to.key.name) throw new RestartRefused('The new origin must be another one.');
  const witnessed = await knownOtherwise(db, witnesses);
  if (witnessed.length === 0)
    throw new RestartRefused('Every witness agrees with this log: it needs no restart.');
  return inTransaction(db, async (tx) => {
    await lockLog(tx);
    const last = await latestCheckpoint(tx);
    if (!last) throw new RestartRefused('The log has no checkpoint yet.');
    const cut = requireOurs(last, from);
    const body = restartBody({
      old: from.key,
      cut,
      witnessed,
      next: to.key,
      at: new Date().toISOString(),
    });
    const lines = [from, to].map((log) => signatureLine(log.key, log.sign(Buffer.from(body))));
    const note = `${body}\n${lines.join('')}`;
    await extend(tx, cut, [Buffer.from(note)], to);
    await insertRestart(tx, { cut_size: cut.size, note });
    return note;
  });
}

/** Returns the checkpoints that witnesses cosigned and this log does not have. */
async function knownOtherwise(db: Db, witnesses: readonly Witness[]) {
  const found: { witness: string; size: number }[] = [];
  for (const witness of witnesses) {
    try {
      await lookAtWitness(db, witness);
    } catch (error) {
      if (!(error instanceof LogBroken) || !error.witnessed) throw error;
      found.push(error.witnessed);
    }
  }
  return found;
}
