import { call, toastText } from '@karaar/api-client';
import { paymentsRoutes, type Reversal } from '@karaar/contracts/payments/http';
import { useTexts } from '@karaar/i18n';
import { Button, ErrorState, formatDateTime, money, Sheet, toast, useConfirm, userName } from '@karaar/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { ADMIN_KEY } from '../../shared/queries.ts';
import { DeclineDialog } from './DeclineDialog.tsx';
import css from './payments.module.css';
import { waitingReversalsQuery } from './queries.ts';
import { paymentsTexts } from './texts.ts';
import { showReversalToast } from './reversal-toast.ts';

/** Reversals above the limit of a single admin; hidden while none waits. */
export function WaitingReversals() {
  const t = useTexts(paymentsTexts);
  const queries = useQueryClient();
  const { ask, dialog } = useConfirm();
  const [declining, setDeclining] = useState<Reversal | null>(null);
  const waiting = useQuery(waitingReversalsQuery);
  const confirm = useMutation({
    mutationFn: ({ reversal_id }: Reversal) =>
      call(paymentsRoutes.confirmReversal, { params: { id: reversal_id } }),
    onSuccess: (reversal) => showReversalToast(reversal, t),
    onError: (error) => toast.error(toastText(error, t('reverseFailed'))),
    onSettled: () => queries.invalidateQueries({ queryKey: [ADMIN_KEY, 'payments'] }),
  });
  const onConfirm = async (reversal: Reversal) => {
    const values = { name: userName(reversal.user_name), amount: money(reversal.amount) };
    const sure = await ask({
      title: t('confirmTitle'),
      text: t('confirmText', values),
      confirm: t('reverseConfirm'),
    });
    if (sure) confirm.mutate(reversal);
  };

  if (waiting.isError)
    return (
      <ErrorState
        title={toastText(waiting.error, t('waitingFailed'))}
        onRetry={() => void waiting.refetch()}
        retrying={waiting.isFetching}
      />
    );
  const items = waiting.data?.items ?? [];
  return (
    <>
      {items.length > 0 && (
        <Sheet title={t('waiting')} flush>
          <ul className={css.waiting} aria-label={t('waiting')}>
            {items.map((reversal) => (
              <li key={reversal.reversal_id}>
                <Waiting reversal={reversal} />
                <span className={css.answers}>
                  <Button compact onClick={() => setDeclining(reversal)}>
                    {t('decline')}
                  </Button>
                  {!reversal.mine && (
                    <Button
                      compact
                      variant="primary"
                      loading={confirm.isPending && confirm.variables.reversal_id === reversal.reversal_id}
                      onClick={() => void onConfirm(reversal)}
                    >
                      {t('confirmReversal')}
                    </Button>
                  )}
                </span>
              </li>
            ))}
          </ul>
        </Sheet>
      )}
      {dialog}
      {declining && <DeclineDialog reversal={declining} onClose={() => setDeclining(null)} />}
    </>
  );
}

/** The amount, the receiver, the reason and the requesting admin. */
function Waiting({ reversal }: { reversal: Reversal }) {
  const t = useTexts(paymentsTexts);
  const { amount, user_name, document_id, document_name, reason, mine, requested_by, requested_at } =
    reversal;
  return (
    <div className={css.what}>
      <span>
        <strong className="k-num">{money(amount)}</strong>
        <span>{` ${t('toWalletOf', { name: userName(user_name) })}`}</span>
      </span>
      <Link className="k-row-link" to={`/admin/documents/${document_id}`}>
        {document_name}
      </Link>
      <span className={css.reason}>{reason}</span>
      <span className="k-muted k-num">
        {t(mine ? 'askedByYou' : 'askedBy', { name: requested_by, at: formatDateTime(requested_at) })}
      </span>
    </div>
  );
}
