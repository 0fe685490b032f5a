import { readAmount } from '@karaar/contracts/typed/read';
import { Button, Stack } from '@karaar/ui';
import { useState, type FormEvent } from 'react';
import { AmountField } from './AmountField.tsx';

type AmountFormProps = {
  /** Names the field. */
  label: string;
  /** The button's words. */
  action: string;
  busy: boolean;
  /** Rupees that are there at first. */
  initial?: number;
  /** The field's `min`; a paisa unless given. */
  least?: number;
  /** Takes an amount above 0, in rupees. Once it is through the field is empty again, unless it began with an amount. */
  onAmount: (rupees: number) => Promise<unknown>;
  /** The typed text is not an amount. */
  onRefused: () => void;
};

/** One amount in rupees and what is done with it. */
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
    // Of a failure the caller tells; what was typed stays.
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
