import { DateField } from '@karaar/ui/fields';
import { useTyped } from './useTyped.ts';

/** While a year is being typed it reads 0002, then 0020: ignore those. */
const isWhole = (day: string): boolean => day === '' || day >= '1900';

type DayBoxProps = {
  label: string;
  value: string;
  min?: string | undefined;
  max?: string | undefined;
  onDay: (day: string) => void;
};

/** The first or last day of a list. */
export function DayBox({ label, value, min, max, onDay }: DayBoxProps) {
  const [typed, type] = useTyped(value, onDay, isWhole);
  return (
    <DateField
      label={label}
      hideLabel
      prefix={label}
      value={typed}
      min={min || undefined}
      max={max || undefined}
      onChange={type}
    />
  );
}
