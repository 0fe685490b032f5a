import { durationDays, totalPaise, toRupees } from '@karaar/contracts/charge';
import { useTexts } from '@karaar/i18n';
import { formatDate, shortMoney } from '@karaar/ui';
import { useQuery } from '@tanstack/react-query';
import { dailyRateQuery } from '../../../shared/pricing.ts';
import css from '../create.module.css';
import type { CreateForm } from './form.ts';
import { datesFault } from '../steps/steps.ts';
import { createTexts } from '../texts.ts';

/**
 * Shows the price of the agreement and who pays it, before the signature; it follows the dates while they are
 * typed.
 */
export function PriceLine({ form }: { form: CreateForm }) {
  const t = useTexts(createTexts);
  const rate = useQuery(dailyRateQuery);
  if (rate.data === undefined || datesFault(form)) return null;
  const { start_date: start, end_date: end } = form;
  const days = durationDays(start, end);
  const price = shortMoney(toRupees(totalPaise(rate.data, days)));
  const priced = t('price', { days, price });
  return (
    <div className={css.price}>
      <p className={css.priceLine} role="status">
        {start && end ? `${formatDate(start)} – ${formatDate(end)} · ${priced}` : priced}
      </p>
      <p className="k-muted k-small">
        <span>{`${t('priceNote', { rate: shortMoney(toRupees(rate.data)) })} `}</span>
        {!(start && end) && <span>{t('priceNoDates')}</span>}
      </p>
    </div>
  );
}
