import { createHash } from 'node:crypto';

/** Hex SHA-256 of who the involved users are, whatever their order. */
export const partiesHash = (userIds: readonly string[]): string =>
  createHash('sha256').update(userIds.toSorted().join(' ')).digest('hex');
