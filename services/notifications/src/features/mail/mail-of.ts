import { ALWAYS_SENT } from '@karaar/contracts/notifications/kinds';
import type { Context } from '../../context.ts';
import { unsubscribeToken } from '../preferences/unsubscribe-token.ts';
import type { DeliveryRow, Item } from '../deliveries/deliveries.repository.ts';
import type { Items } from '../deliveries/delivery.worker.ts';
import { composeDigest, composeLetter, type Letter, type LetterFacts } from './letter.ts';
import type { Mail } from './mailer.ts';
import type { SealedFiles } from './sealed-files.ts';

type Reader = { name: string; language: LetterFacts['language']; publicUrl: string };

/**
 * Returns a function that writes the e-mail of a delivery, with files if the user wants those of a sealed
 * document; undefined if the user has no active account or no proved address.
 * @param rows all of one user and one kind
 * @throws AppError 503 while the auth service is down
 */
export async function mailWriter(
  ctx: Context,
  delivery: DeliveryRow,
  rows: Items,
): Promise<((files: SealedFiles | undefined) => Mail) | undefined> {
  const [first] = rows;
  const user = await ctx.directory.refresh(first.user_id);
  if (!user?.is_active || user.email === '') return undefined;
  const publicUrl = ctx.config.PUBLIC_URL.replace(/\/$/, '');
  const reader: Reader = { name: user.name, language: user.language ?? 'en', publicUrl };
  const token = unsubscribeToken(ctx.config.NOTIFICATIONS_SECRET, {
    userId: first.user_id,
    kind: first.kind,
  });
  return (files) => ({
    ...(rows.length === 1 ? letterOf(reader, first, files) : composeDigest(reader, rows.map(itemOf))),
    ...(typeof files === 'object' ? { attachments: files } : {}),
    messageId: delivery.id,
    to: user.email,
    unsubscribeUrl: ALWAYS_SENT.includes(first.kind)
      ? null
      : `${publicUrl}/api/notifications/unsubscribe?token=${encodeURIComponent(token)}`,
  });
}

const letterOf = (reader: Reader, row: Item, files: SealedFiles | undefined): Letter =>
  composeLetter({
    ...reader,
    ...itemOf(row),
    kind: row.kind,
    reason: row.reason,
    amountPaise: row.amount_paise === null ? null : Number(row.amount_paise),
    replacedPaise: row.replaced_paise === null ? null : Number(row.replaced_paise),
    nameInSubject: row.name_in_subject,
    files: typeof files === 'object' ? 'attached' : (files ?? null),
  });

const itemOf = (row: Item) => ({
  actorName: row.actor_name,
  documentId: row.document_id,
  documentName: row.document_name,
  answerBy: row.answer_by,
});
