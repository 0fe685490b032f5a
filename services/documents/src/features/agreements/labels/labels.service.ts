import { notFound, unprocessable } from '@karaar/base/errors';
import { LABELS_MAX } from '@karaar/contracts/documents/labels';
import { inTransaction, lockName, type Tx } from '@karaar/db';
import type { Context } from '../../../context.ts';
import type { Database } from '../../../db/schema.ts';
import { getInvolvedDocument } from '../agreements.service.ts';
import { labelsOfUser, moveLabel, replaceLabels } from './labels.repository.ts';

const tooManyLabels = () =>
  unprocessable(
    'too_many_labels',
    `You have ${LABELS_MAX} labels, which is the limit. Use one of them, or delete one first.`,
  );
const labelNotFound = () => notFound('label_not_found', 'You no longer have this label. Reload the page.');

const tidy = (name: string): string => name.trim().replaceAll(/\s+/g, ' ');
const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

export const listLabels = async (ctx: Context, userId: string) => ({
  labels: await labelsOfUser(ctx.db, userId),
});

/**
 * Sets the user's own labels on a document. A name that differs from one of the user's labels only in capitals is
 * that label.
 * @returns the labels as stored
 * @throws 403, 404 for a document that does not involve the user, 422 over the limit of labels
 */
export async function setLabels(
  ctx: Context,
  userId: string,
  id: string,
  names: readonly string[],
): Promise<{ labels: string[] }> {
  await getInvolvedDocument(ctx, userId, id);
  return alone(ctx, userId, async (tx) => {
    const own = await labelsOfUser(tx, userId);
    const labels: string[] = [];
    for (const name of names.map(tidy)) {
      const label = own.find((one) => isSame(one.name, name))?.name ?? name;
      if (!labels.some((one) => isSame(one, label))) labels.push(label);
    }
    await replaceLabels(tx, userId, id, labels);
    if ((await labelsOfUser(tx, userId)).length > LABELS_MAX) throw tooManyLabels();
    return { labels };
  });
}

/** @throws 404 if the user does not have the label */
export async function renameLabel(ctx: Context, userId: string, name: string, to: string) {
  await alone(ctx, userId, async (tx) => {
    const own = await labelsOfUser(tx, userId);
    const other = own.find((one) => one.name !== name && isSame(one.name, tidy(to)))?.name;
    if (!(await moveLabel(tx, userId, name, other ?? tidy(to)))) throw labelNotFound();
  });
  return listLabels(ctx, userId);
}

/** @throws 404 if the user does not have the label */
export async function deleteLabel(ctx: Context, userId: string, name: string) {
  await alone(ctx, userId, async (tx) => {
    if (!(await moveLabel(tx, userId, name, null))) throw labelNotFound();
  });
  return listLabels(ctx, userId);
}

/** Changes of one user's labels wait for each other, so that their number is right. */
const alone = <T>(ctx: Context, userId: string, change: (tx: Tx<Database>) => Promise<T>): Promise<T> =>
  inTransaction(ctx.db, async (tx) => {
    await lockName(tx, `labels ${userId}`);
    return change(tx);
  });
