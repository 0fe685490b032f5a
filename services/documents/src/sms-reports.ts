/** Reports of the carrier about texts, which two features send. */
import type { HttpApp } from '@karaar/http';
import type { NoteReport } from '@karaar/sms';
import type { Context } from './context.ts';
import { noteInvitationReport } from './features/invitations/invitations.repository.ts';
import { smsReports } from './features/text-messages/sms-status.service.ts';
import { noteDelivery } from './features/text-messages/text-messages.repository.ts';

/** Records a report about the text to a party or to an invited number. The first one is final; one about an unknown text has no effect. */
export const noteSmsReport =
  ({ db }: Pick<Context, 'db'>): NoteReport =>
  async (id, report) => {
    await noteDelivery(db, id, report);
    await noteInvitationReport(db, id, report);
  };

export function smsReportRoutes(app: HttpApp, ctx: Context): void {
  smsReports.mount(app, ctx.config, noteSmsReport(ctx));
}
