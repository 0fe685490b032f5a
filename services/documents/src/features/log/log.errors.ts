import { conflict, notFound, unprocessable } from '@karaar/platform/errors';

/** The log cannot go on: what is stored is not the tree of its last checkpoint. Nothing is signed on top. */
export class LogBroken extends Error {
  override name = 'LogBroken';
  /** The witness that knows another log, and how many entries of it. */
  readonly witnessed: { witness: string; size: number } | undefined;

  constructor(message: string, witnessed?: { witness: string; size: number }) {
    super(message);
    this.witnessed = witnessed;
  }
}

export const notLogged = () =>
  conflict('not_logged', 'The document is not in the transparency log yet. Please try again in a moment.');
export const noSuchTile = () => notFound('no_such_tile', 'The log has no such tile.');
export const outsideTree = () =>
  unprocessable('outside_tree', 'The log has no tree of that size, or the tree no such leaf.');
