import { readAmount } from '@karaar/contracts/typed/amount';
import { Button, Stack } from '@karaar/ui';
import { useState, type FormEvent } from 'react';
import { AmountField } from './AmountField.tsx';

type AmountFormProps = {
  label: string;
  action: string;
  busy: boolean;
  /** The initial amount in rupees. */
  initial?: number;
  /** The field's `min`; a paisa by default. */
  least?: number;
  /**
   * Receives an amount above 0, in rupees. On success the field is cleared, unless it had an initial amount.
   */
  onAmount: (rupees: number) => Promise<unknown>;
  /** Called if the typed text is not an amount. */
  onRefused: () => void;
};

/** A field for an amount in rupees, with a button. */
export function AmountForm({
  label,
  action,
  busy,
  initial,
  least = 0.01,
  onAmount,
  onRefused,
}: AmountFormProps) {
  const [typed, setTyped] = useState(initial === undefined ? '' : String(initial));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const rupees = Number(readAmount(typed) ?? 0);
    if (rupees <= 0) return onRefused();
    // The caller reports a failure; the input stays.
    onAmount(rupees).then(
      () => initial === undefined && setTyped(''),
      () => undefined,
    );
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <AmountField label={label} min={least} value={typed} onChange={setTyped} />
        <div>
          <Button type="submit" variant="primary" loading={busy}>
            {action}
          </Button>
        </div>
      </Stack>
    </form>
  );
}
