import { equal } from '@karaar/proof/bytes';
import { NotThere, type LogReader } from '@karaar/proof/log/log-reader';
import { verifyConsistency } from '@karaar/proof/log/merkle';
import { consistencyProof } from '@karaar/proof/log/tiles';
import { Found } from './alerts.ts';

export type Signed = {
  from: string;
  size: number;
  root: Uint8Array;
  text: string;
};

/**
 * Makes the log prove that the smaller tree is the beginning of the larger one.
 * @throws Found if it cannot
 */
export async function requireOneHistory(reader: LogReader, one: Signed, other: Signed): Promise<void> {
  const [first, second] = one.size <= other.size ? [one, other] : [other, one];
  const evidence = [one.text, other.text];
  const words = `${one.from} has ${one.size} entries, ${other.from} ${other.size}`;
  if (first.size === 0) return;
  if (first.size === second.size) {
    if (equal(first.root, second.root)) return;
    throw new Found('split-view', `two trees of one size: ${words}`, evidence);
  }
  const tiles = reader.tiles(second.size);
  const proof = await consistencyProof(tiles, first.size, second.size).catch((error: unknown) => {
    if (error instanceof NotThere)
      throw new Found('withheld', `the log does not show how its trees belong together: ${words}`, evidence);
    throw error;
  });
  const claim = { size1: first.size, size2: second.size, root1: first.root, root2: second.root, proof };
  if (!verifyConsistency(claim))
    throw new Found(
      'split-view',
      `two histories: ${words}, and the one does not continue the other`,
      evidence,
    );
}
