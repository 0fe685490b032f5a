export type Progress = {
  primaryPaid: boolean;
  completed: boolean;
};

type Shares = readonly { userId: string; amountPaise: number }[];
type Payments = readonly { user_id: string; status: string }[];

/** Returns which shares are paid. A zero share counts as paid; without a distribution, none is. */
export function progressOf(primaryUser: string, shares: Shares | undefined, payments: Payments): Progress {
  if (!shares) return { primaryPaid: false, completed: false };
  const paid = new Set(
    payments.filter((payment) => payment.status === 'completed').map((payment) => payment.user_id),
  );
  const isPaid = (share: { userId: string; amountPaise: number }) =>
    share.amountPaise === 0 || paid.has(share.userId);
  return {
    primaryPaid: shares.filter((share) => share.userId === primaryUser).every(isPaid),
    completed: shares.every(isPaid),
  };
}
