import { toRupees } from '@karaar/contracts/charge';
import type { PricingHistory, PricingRow } from './pricing.repository.ts';

export const presentPricing = ({
  first,
  latest,
  userEditing,
}: PricingHistory & { userEditing: boolean }) => ({
  daily_rate: toRupees(latest.daily_rate_paise),
  is_active: true,
  created_by_name: first.author_name,
  updated_by_name: latest.author_name,
  created_at: first.created_at.toISOString(),
  updated_at: latest.created_at.toISOString(),
  user_editing: userEditing,
});

export const presentChange = (row: PricingRow) => ({
  daily_rate: toRupees(row.daily_rate_paise),
  author_name: row.author_name,
  at: row.created_at.toISOString(),
});
