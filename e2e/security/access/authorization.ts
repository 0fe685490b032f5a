/** Who may call what: the matrix that is generated from the contracts. */
import { openMatrix, type Matrix } from '../../src/authorization/matrix.ts';
import type { Finding, ProductCheck } from '../check.ts';

const WAYS = [
  ['through the gateway', false],
  ['past the gateway', true],
] as const;

/** Runs every rule of the matrix, one after the other. */
export async function tryMatrix(matrix: Matrix): Promise<Finding[]> {
  const found: Finding[] = matrix
    .undeclared()
    .map((what) => ({ where: 'routes without a cross-user case', what }));
  for (const [way, direct] of WAYS)
    for (const rule of [
      'nobodies',
      'deactivated',
      'wrongAudience',
      'rightAudience',
      'roles',
      'open',
    ] as const)
      for (const what of await matrix[rule](direct)) found.push({ where: `${rule} ${way}`, what });
  for (const what of await matrix.crossUserFaults()) found.push({ where: 'another user’s object', what });
  return found;
}

export const authorization: ProductCheck = {
  name: 'authorization',
  needsPages: true,
  holds:
    'every route lets in whom its contract names and nobody else, and no stranger to an object of others',
  run: async ({ inside }) => {
    const matrix = await openMatrix(inside);
    try {
      return await tryMatrix(matrix);
    } finally {
      await matrix.stop();
    }
  },
};
