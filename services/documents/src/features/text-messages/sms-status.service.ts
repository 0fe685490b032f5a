import { textMessagesRoutes } from '@karaar/contracts/documents/text-messages';
import { smsReporting, type NoteReport } from '@karaar/sms';
import type { Context } from '../../context.ts';
import { noteDelivery } from './text-messages.repository.ts';

export const smsReports = smsReporting(textMessagesRoutes);

/** Records a report about a text. The first one is final; one about an unknown text has no effect. */
export const noteSmsReport =
  ({ db }: Pick<Context, 'db'>): NoteReport =>
  (id, report) =>
    noteDelivery(db, id, report);
