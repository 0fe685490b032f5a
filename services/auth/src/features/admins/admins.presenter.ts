import type { AdminUser, AuditEntry } from '@karaar/contracts/auth/http';
import { csvTime } from '@karaar/platform/csv';
import type { UserRow } from '../accounts/accounts.repository.ts';
import type { AuditRow } from './audit.repository.ts';
import type { UserCounts } from './users.repository.ts';

export const presentAdminUser = (user: UserRow): AdminUser => ({
  _id: user.id,
  user_id: user.id,
  char_id: user.char_id,
  name: user.name,
  email: user.email,
  phone_no: user.phone_no,
  city: user.city,
  state: user.state,
  status: user.status,
  is_active: user.status === 'active',
  is_admin: user.is_admin,
  created_at: user.created_at.toISOString(),
});

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
