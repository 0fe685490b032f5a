/** The e-mail of a delivery: one letter about one notification, or one about several reminders. */
import { ALWAYS_TOLD } from '@karaar/contracts/notifications/kinds';
import type { Context } from '../../context.ts';
import type { NotificationRow } from '../inbox/inbox.repository.ts';
import { settingsOf } from '../preferences/preferences.repository.ts';
import { unsubscribeToken } from '../preferences/unsubscribe-token.ts';
import type { DeliveryRow } from './deliveries.repository.ts';
import { composeDigest, composeLetter, type Letter, type LetterFacts } from './letter.ts';
import type { Mail } from './mailer.ts';

type Reader = { name: string; language: LetterFacts['language']; publicUrl: string };

/**
 * @param rows of one user and one kind, at least one
 * @returns undefined where there is no account to write to, or no address that its owner has proved
 * @throws AppError 503 while the auth service cannot be asked
 */
export async function mailOf(
  ctx: Context,
  delivery: DeliveryRow,
  rows: readonly NotificationRow[],
): Promise<Mail | undefined> {
  const [first] = rows;
  if (!first) return undefined;
  // The copy may hold an address from before it had to be proved.
  const user = await ctx.directory.refresh(first.user_id);
  if (!user?.is_active || user.email === '') return undefined;
  const publicUrl = ctx.config.PUBLIC_URL.replace(/\/$/, '');
  const reader: Reader = { name: user.name, language: user.language ?? 'en', publicUrl };
  const token = unsubscribeToken(ctx.config.NOTIFICATIONS_SECRET, {
    userId: first.user_id,
    kind: first.kind,
  });
  return {
    ...(rows.length === 1 ? await letterOf(ctx, reader, first) : await digestOf(ctx, reader, rows)),
    messageId: delivery.id,
    to: user.email,
    unsubscribeUrl: ALWAYS_TOLD.includes(first.kind)
      ? null
      : `${publicUrl}/api/notifications/unsubscribe?token=${encodeURIComponent(token)}`,
  };
}

async function letterOf(ctx: Context, reader: Reader, row: NotificationRow): Promise<Letter> {
  const owner = row.owner_id ? await settingsOf(ctx.db, row.owner_id) : undefined;
  return composeLetter({
    ...reader,
    ...(await itemOf(ctx, row)),
    kind: row.kind,
    reason: row.reason,
    amountPaise: row.amount_paise === null ? null : Number(row.amount_paise),
    nameInSubject: owner?.namesInSubjects ?? false,
  });
}

const digestOf = async (ctx: Context, reader: Reader, rows: readonly NotificationRow[]): Promise<Letter> =>
  composeDigest(reader, await Promise.all(rows.map((row) => itemOf(ctx, row))));

async function itemOf(ctx: Context, row: NotificationRow) {
  const actor = row.actor_id ? await ctx.directory.findById(row.actor_id) : undefined;
  return {
    actorName: actor?.name ?? null,
    documentId: row.document_id,
    documentName: row.document_name,
    answerBy: row.answer_by,
  };
}
