import type { WaitingTopUp } from '@karaar/contracts/wallet/http';
import { Button } from '@karaar/ui';
import { useTopUp } from './useTopUp.ts';

type FinishTopUpProps = {
  topUp: WaitingTopUp;
  variant: 'primary' | 'secondary';
  label: string;
  /** When it was begun. */
  name: string;
};

/** Opens the checkout of a top-up that was begun and not finished. */
export default function FinishTopUp({ topUp, variant, label, name }: FinishTopUpProps) {
  const { finish, phase } = useTopUp();
  return (
    <Button
      compact
      variant={variant}
      loading={phase !== 'idle'}
      aria-label={`${label}: ${name}`}
      onClick={() => void finish(topUp.order)}
    >
      {label}
    </Button>
  );
}
