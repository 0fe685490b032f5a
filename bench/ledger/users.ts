export const USERS = 1_000;

/** Both sides make the same ids: here, and in SQL in `pgbench.ts`. @param number from 1 to USERS */
export function userId(number: number): string {
  return `00000000-0000-7000-9000-${String(number).padStart(12, '0')}`;
}
