/** The authorization matrix, which is generated from the contracts. */
import { openMatrix, type Matrix } from '../../src/authorization/matrix.ts';
import type { Finding, ProductCheck } from '../check.ts';

const RULES = ['nobodies', 'deactivated', 'wrongAudience', 'rightAudience', 'roles', 'open'] as const;

export async function tryMatrix(matrix: Matrix): Promise<Finding[]> {
  const found: Finding[] = [];
  const note = (where: string, whats: readonly string[]) =>
    void found.push(...whats.map((what) => ({ where, what })));
  note('routes without a cross-user case', matrix.undeclared());
  for (const rule of RULES) note(`${rule} through the gateway`, await matrix[rule](false));
  for (const rule of RULES) note(`${rule} past the gateway`, await matrix[rule](true));
  note('another user’s object', await matrix.crossUserFaults());
  return found;
}

export const authorization: ProductCheck = {
  name: 'authorization',
  needsPages: true,
  holds:
    'every route admits only the callers in its contract, and a user cannot reach another user’s objects',
  run: async ({ inside }) => {
    const matrix = await openMatrix(inside);
    try {
      return await tryMatrix(matrix);
    } finally {
      await matrix.stop();
    }
  },
};
