import type { Report } from '@karaar/contracts/messaging/reports';
import type { ReportRow } from './safety.repository.ts';

export const presentReport = (row: ReportRow): Report => ({
  _id: row.id,
  reporter:
    row.reporter_id === null
      ? null
      : { user_id: row.reporter_id, char_id: row.reporter_char_id, name: row.reporter_name },
  reported: { user_id: row.reported_id, char_id: row.reported_char_id, name: row.reported_name },
  // Only values of the contract are stored.
  reason: row.reason as Report['reason'],
  details: row.details,
  created_at: row.created_at.toISOString(),
  resolved_at: row.resolved_at?.toISOString() ?? null,
  note: row.note,
});
