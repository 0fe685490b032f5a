import { Button, Stack, TextField } from '@karaar/ui';
import { useState, type FormEvent } from 'react';

type AmountFormProps = {
  /** Names the field. */
  label: string;
  /** The button's words. */
  action: string;
  busy: boolean;
  /** Rupees that stand there at first. */
  initial?: number;
  /** What the field's own arrows stop at; a paisa unless given. */
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
    const rupees = Number(typed);
    if (typed.trim() === '' || !Number.isFinite(rupees) || rupees <= 0) return onRefused();
    // Of a failure the caller tells; what was typed stays.
    onAmount(rupees).then(
      () => initial === undefined && setTyped(''),
      () => undefined,
    );
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextField
          label={label}
          prefix="₹"
          type="number"
          inputMode="decimal"
          min={least}
          step={0.01}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <div>
          <Button type="submit" variant="primary" loading={busy}>
            {action}
          </Button>
        </div>
      </Stack>
    </form>
  );
}
