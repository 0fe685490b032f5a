export const USERS = 1_000;
/** Revenue accounts of the comparison with a ledger in which none is everybody's. */
export const SPREAD_ACCOUNTS = 1_000;

/** Both sides make the same ids: here, and in SQL in `pgbench.ts`. @param number from 1 to USERS */
export function userId(number: number): string {
  return `00000000-0000-7000-9000-${String(number).padStart(12, '0')}`;
}

/** @param number from 1 to SPREAD_ACCOUNTS */
export function spreadAccountId(number: number): string {
  return `00000000-0000-7000-a000-${String(number).padStart(12, '0')}`;
}
