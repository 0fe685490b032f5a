import type { AdminUser } from '@karaar/contracts/auth/http';
import type { UserRow } from '../accounts/accounts.repository.ts';

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
