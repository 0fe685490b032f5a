import { conflict, notFound, unprocessable } from '@karaar/base/errors';

/** The log must not grow: the stored tree differs from its checkpoint, or a witness knows another log. */
export class LogBroken extends Error {
  override name = 'LogBroken';
  readonly witnessed: { witness: string; size: number } | undefined;

  constructor(message: string, witnessed?: { witness: string; size: number }) {
    super(message);
    this.witnessed = witnessed;
  }
}

/** The database changed since the witnesses agreed: it was recovered, restored or failed over. */
export class DatabaseMoved extends Error {
  override name = 'DatabaseMoved';
}

export const notLogged = () =>
  conflict('not_logged', 'The document is not in the transparency log yet. Please try again in a moment.');
export const noSuchTile = () => notFound('no_such_tile', 'The log has no such tile.');
export const outsideTree = () =>
  unprocessable('outside_tree', 'The log has no tree of that size, or the tree no such leaf.');
