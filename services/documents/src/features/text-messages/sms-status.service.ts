import { textMessagesRoutes } from '@karaar/contracts/documents/text-messages';
import { smsReporting, type NoteReport } from '@karaar/sms';
import type { Context } from '../../context.ts';
import { noteInvitationReport } from '../invitations/invitations.repository.ts';
import { noteDelivery } from './text-messages.repository.ts';

export const smsReports = smsReporting(textMessagesRoutes);

/** Records a report about the text to a party or to an invited number. The first one is final; one about an unknown text has no effect. */
export const noteSmsReport =
  ({ db }: Pick<Context, 'db'>): NoteReport =>
  async (id, report) => {
    await noteDelivery(db, id, report);
    await noteInvitationReport(db, id, report);
  };
