/** How long an admin account is locked after its n-th failure in a row: nothing at first, then doubling. */
export const lockMs = (failures: number): number =>
  failures < 4 ? 0 : Math.min(15 * 60_000, 1_000 * 2 ** (failures - 4));
