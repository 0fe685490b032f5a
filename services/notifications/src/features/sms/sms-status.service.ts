import { notificationsRoutes } from '@karaar/contracts/notifications/http';
import { smsReporting, type NoteReport } from '@karaar/sms';
import type { Context } from '../../context.ts';
import { noteReport } from '../deliveries/deliveries.repository.ts';

export const smsReports = smsReporting(notificationsRoutes);
/** Returns the public address of the reports about an SMS. */
export const { statusUrlOf } = smsReports;

/** Records a report about an SMS. The first one is final; one about an unknown SMS has no effect. */
export const noteSmsReport =
  ({ db }: Pick<Context, 'db'>): NoteReport =>
  (id, report) =>
    noteReport(db, id, report);
