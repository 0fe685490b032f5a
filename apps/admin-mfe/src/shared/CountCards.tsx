import { wholeNumber } from '@karaar/ui';
import css from './shared.module.css';

export type CountCard = {
  key: string;
  label: string;
  /** A dash until it is loaded. */
  value: string | number | undefined;
  note?: string | undefined;
  tone?: 'verified' | 'waiting' | 'info' | undefined;
};

/** Cards with the main numbers. */
export function CountCards({ label, cards }: { label: string; cards: readonly CountCard[] }) {
  return (
    <dl className={css.cards} data-many={cards.length > 5 || undefined} aria-label={label}>
      {cards.map((card) => (
        <div key={card.key} className={css.card} data-tone={card.tone}>
          <dt>{card.label}</dt>
          <dd className={css.cardValue}>
            {typeof card.value === 'number' ? wholeNumber(card.value) : (card.value ?? '–')}
          </dd>
          {card.note && <dd className={css.cardNote}>{card.note}</dd>}
        </div>
      ))}
    </dl>
  );
}
