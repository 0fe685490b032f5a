import type { Context } from '../../context.ts';
import type { DeliveryRow, Item } from '../deliveries/deliveries.repository.ts';
import type { DeliveryChannel } from '../deliveries/delivery.worker.ts';
import { mailWriter } from './mail-of.ts';
import { MailError, type Mailer } from './mailer.ts';
import { readSealedFiles, type SealedFiles } from './sealed-files.ts';

/** Attempts to read a sealed document's files, for five minutes; then the e-mail has the link only. */
export const FILE_ATTEMPTS = 5;

export type MailContext = Context & { mailer: Mailer };

/** Returns the channel of e-mails. Mailboxes drop a repeated e-mail by its Message-ID. */
export const mailChannel = (ctx: MailContext): DeliveryChannel => ({
  name: 'email',
  longestRestMs: ctx.config.MAIL_LONGEST_REST_MS,
  isLarge: wantsFiles,
  failureOf: (error) => (error instanceof MailError ? error.outcome : undefined),
  prepare: async (row, items) => {
    const files = wantsFiles(items[0]) ? await filesOf(ctx, row, items[0]) : undefined;
    if (files === 'later') return { retryInMs: 5_000 * 2 ** row.attempts, reason: 'no files yet' };
    const write = await mailWriter(ctx, row, items);
    if (!write) return { state: 'skipped', reason: 'no proved address' };
    return async () => {
      try {
        await ctx.mailer.send(write(files));
      } catch (error) {
        if (!Array.isArray(files) || !(error instanceof MailError && error.isTooLarge)) throw error;
        await ctx.mailer.send(write('too_large'));
      }
    };
  },
});

const wantsFiles = ({ kind, attach_sealed }: Item): boolean => kind === 'sealed' && attach_sealed;

/** Returns the files, or `later` to wait for them. */
async function filesOf(
  ctx: Context,
  { id: deliveryId, attempts }: DeliveryRow,
  { user_id: userId, document_id: documentId }: Item,
): Promise<SealedFiles | 'later' | undefined> {
  if (documentId === null) return undefined;
  try {
    return await readSealedFiles(ctx, { userId, documentId });
  } catch (err) {
    ctx.logger.warn({ err, deliveryId }, "a sealed document's files could not be read for an e-mail");
    return attempts < FILE_ATTEMPTS ? 'later' : 'unreadable';
  }
}
