import type { AuditEntry } from '@karaar/contracts/auth/http';
import { csvTime } from '@karaar/base/csv';
import { presentAccount } from '../accounts/accounts.presenter.ts';
import type { UserRow } from '../accounts/accounts.repository.ts';
import type { AuditRow } from './audit/audit.repository.ts';
import type { UserCounts } from './users/users.repository.ts';

export const presentAdminUser = presentAccount;

export const USER_COLUMNS = ['Name', 'Email', 'Phone', 'Char ID', 'State', 'Created (India time)', 'User ID'];
export const userLine = (user: UserRow): string[] => [
  user.name,
  user.email,
  user.phone_no,
  user.char_id,
  user.status,
  csvTime(user.created_at),
  user.id,
];

export const presentCounts = ({ active, inactive, byDay }: UserCounts) => ({
  total: active + inactive,
  active,
  inactive,
  by_day: byDay,
});

export const presentAudit = (row: AuditRow): AuditEntry => ({
  _id: row.id,
  at: row.at.toISOString(),
  admin_id: row.admin_id,
  admin_name: row.admin_name ?? '',
  action: row.action,
  target_id: row.target_id,
  target: row.target,
  reason: row.reason,
});

export const AUDIT_COLUMNS = ['At (India time)', 'Admin', 'Action', 'Target', 'Target ID', 'Reason'];
export const auditLine = (row: AuditRow): string[] => [
  csvTime(row.at),
  row.admin_name ?? row.admin_id,
  row.action,
  row.target,
  row.target_id ?? '',
  row.reason,
];
