import type { AdminDocument, AdminDocumentDetail, DocumentCounts } from '@karaar/contracts/documents/http';
import { csvTime } from '@karaar/base/csv';
import { statementHash } from '@karaar/proof/approval/approval';
import { toBase64 } from '@karaar/proof/bytes';
import { leafHash } from '@karaar/proof/log/merkle';
import { presentCounts, presentDocument, presentEvent } from '../agreements/agreements.presenter.ts';
import type { DocumentRecord } from '../agreements/agreement-records.repository.ts';
import type { AdminRecord } from './admin-detail.repository.ts';
import type { StatusCounts } from './admin-list.repository.ts';

/** Shows the file's name instead of a link: an admin cannot open the file. */
const nameOnly = (_path: string, name = ''): string => name;

export const presentForAdmin = (record: DocumentRecord): AdminDocument =>
  presentDocument(record, record.document.primary_user, nameOnly);

export function presentDetail({
  record,
  contacts,
  events,
  log,
  approvals,
}: AdminRecord): AdminDocumentDetail {
  const { document } = record;
  const shown = presentForAdmin(record);
  return {
    ...shown,
    parties: shown.parties.map((party) => {
      const contact = contacts.find((one) => one.user_id === party.user_id);
      const row = record.parties.find((one) => one.user_id === party.user_id);
      return {
        ...party,
        email: contact?.email ?? '',
        phone_no: contact?.phone_no ?? '',
        approved_at: row?.approved_at?.toISOString() ?? null,
        images: contact?.images ?? [],
      };
    }),
    events: events.map((event) => presentEvent(event, true)),
    log: log
      ? {
          sha256: log.sha256,
          sealed_at: log.sealed_at,
          leaf_index: log.entry_index,
          tree_size: log.tree_size,
          leaf_hash: log.leaf && toBase64(leafHash(log.leaf)),
          confirmed_at: log.confirmed_at?.toISOString() ?? null,
        }
      : null,
    approvals: approvals.map(({ user_id, approved_at, withdrawn_at, content_hash, statement }) => ({
      user_id,
      approved_at: approved_at.toISOString(),
      withdrawn_at: withdrawn_at?.toISOString() ?? null,
      content_hash,
      statement_hash: statementHash(statement),
    })),
    finalized_at: document.finalized_at?.toISOString() ?? null,
    paid: document.paid,
  };
}

type Counts = Omit<DocumentCounts, 'archived' | 'pending_agreements'> & { by_day: StatusCounts['byDay'] };

export const presentAllCounts = ({ statuses, byDay }: StatusCounts): Counts => ({
  ...presentCounts(statuses),
  by_day: byDay,
});

export const DOCUMENT_COLUMNS = [
  'Name',
  'Code',
  'Status',
  'Creator',
  'Parties',
  'Files',
  'Location',
  'Start',
  'End',
  'Total (INR)',
  'In the log',
  'Created (India time)',
  'Document ID',
];

export const documentLine = (record: DocumentRecord): string[] => {
  const shown = presentForAdmin(record);
  return [
    shown.name,
    shown.document_code,
    shown.status,
    shown.primary_user_name,
    String(shown.involved_users.length),
    String(shown.raw_files.length),
    shown.location ?? '',
    shown.start_date ?? '',
    shown.end_date ?? '',
    shown.total_amount.toFixed(2),
    shown.blockchain ? 'yes' : 'no',
    csvTime(record.document.created_at),
    shown.document_id,
  ];
};
