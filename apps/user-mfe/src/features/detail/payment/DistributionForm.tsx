import { call, toastText } from '@karaar/api-client';
import type { Document } from '@karaar/contracts/documents/http';
import { paymentsRoutes, type Calculation } from '@karaar/contracts/payments/http';
import { useTexts } from '@karaar/i18n';
import { Button, Stack, TextField, toast, userName } from '@karaar/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { documentKeys } from '../../../shared/queries.ts';
import { distributionFault, evenShares, isOver, limited, percentOf, totalOf } from './distribution.ts';
import css from '../detail.module.css';
import { involvedParties } from '../../../shared/roles.ts';
import { detailTexts } from '../../../shared/catalogs/detail/texts.ts';

type DistributionFormProps = { document: Document; calculation: Calculation; onDone: () => void };

/** Sets the share of each party in percent. */
export function DistributionForm({ document, calculation, onDone }: DistributionFormProps) {
  const t = useTexts(detailTexts);
  const queries = useQueryClient();
  const parties = involvedParties(document);
  const before = calculation.payment_distributions;
  const even = evenShares(parties.length);
  const [typed, setTyped] = useState(() =>
    parties.map((party, index) =>
      String(
        before.find((share) => share.user_id === party.user_id)?.percentage ??
          (before.length > 0 ? 0 : even[index]),
      ),
    ),
  );
  const percentages = typed.map(percentOf);
  const total = totalOf(percentages.map((each) => each ?? 0));

  const setUp = useMutation({
    mutationFn: () =>
      call(paymentsRoutes.setupDistribution, {
        params: { id: document.document_id },
        body: {
          document_id: document.document_id,
          payment_distributions: parties.map((party, index) => ({
            user_id: party.user_id,
            percentage: percentages[index] ?? 0,
          })),
          total_amount: calculation.total_amount,
          duration_days: calculation.duration_days,
        },
      }),
    onSuccess: async () => {
      toast.success(t('shareDone'));
      await queries.invalidateQueries({ queryKey: documentKeys.charge(document.document_id) });
      onDone();
    },
    onError: (error) => toast.error(toastText(error, t('shareFailed'))),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const fault = distributionFault(percentages);
    if (fault) return toast.error(t(fault));
    setUp.mutate();
  };
  return (
    <form onSubmit={submit} noValidate aria-label={t('shareTitle')}>
      <Stack gap={1.5}>
        <p className="k-muted">{t('shareLead')}</p>
        <div className={css.shares}>
          {parties.map((party, index) => (
            <TextField
              key={party.user_id}
              label={userName(party.name)}
              inputMode="decimal"
              min={0}
              max={100}
              step={0.01}
              prefix="%"
              value={typed[index] ?? ''}
              onChange={(event) =>
                setTyped(typed.map((each, at) => (at === index ? limited(event.target.value) : each)))
              }
            />
          ))}
        </div>
        <p className={css.shareTotal} data-off={distributionFault(percentages) !== null || undefined}>
          <span>{t('shareTotal', { percent: total })}</span>
          {isOver(percentages) && <span role="alert">{t('shareOver')}</span>}
        </p>
        <div>
          <Button type="submit" icon="coins" loading={setUp.isPending}>
            {t('shareSetUp')}
          </Button>
        </div>
      </Stack>
    </form>
  );
}
