import type { ListedRow } from './inbox.repository.ts';

export const presentNotification = (row: ListedRow) => ({
  _id: row.id,
  kind: row.kind,
  document_id: row.document_id,
  document_name: row.document_name,
  actor_name: row.actor_name === '' ? null : row.actor_name,
  reason: row.reason,
  amount_paise: row.amount_paise === null ? null : Number(row.amount_paise),
  ...(row.replaced_paise === null ? {} : { replaced_paise: Number(row.replaced_paise) }),
  answer_by: row.answer_by,
  read: row.read_at !== null,
  created_at: row.created_at.toISOString(),
});
