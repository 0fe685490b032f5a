import { call, toastText } from '@karaar/api-client';
import { exceptionRoutes, type PaymentException } from '@karaar/contracts/wallet/exceptions';
import { useTexts } from '@karaar/i18n';
import { Button, CodeText, Modal, money, Stack, toast } from '@karaar/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ADMIN_KEY } from '../../shared/queries.ts';
import shared from '../../shared/shared.module.css';
import css from './exceptions.module.css';
import { exceptionsTexts } from './texts.ts';
import { RESOLUTION_TEXTS } from './words.ts';

/** Confirms the displayed proposal of another admin. */
export function ConfirmDialog({ row, onClose }: { row: PaymentException; onClose: () => void }) {
  const t = useTexts(exceptionsTexts);
  const queries = useQueryClient();
  const confirm = useMutation({
    mutationFn: () =>
      call(exceptionRoutes.confirmResolution, {
        params: { id: row.exception_id },
        body: { version: row.version },
      }),
    onSuccess: () => {
      toast.success(t('confirmedDone'));
      onClose();
    },
    onError: (error) => toast.error(toastText(error, t('confirmFailed'))),
    onSettled: () => queries.invalidateQueries({ queryKey: [ADMIN_KEY, 'exceptions'] }),
  });
  return (
    <Modal title={t('confirmTitle')} opened onClose={onClose} width={480}>
      <Stack gap={2}>
        <p>
          {t('confirmText', {
            resolution: row.resolution ? t(RESOLUTION_TEXTS[row.resolution]) : '',
            amount: money(row.amount),
          })}
        </p>
        <CodeText code={row.subject} label={t('subject')} />
        {row.credit_user_id && (
          <p>
            <span>{`${t('userId')}: `}</span>
            <span className={css.id} translate="no">
              {row.credit_user_id}
            </span>
          </p>
        )}
        <p className="k-muted" translate="no">
          {row.reason}
        </p>
        <div className={shared.answers}>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button variant="primary" loading={confirm.isPending} onClick={() => confirm.mutate()}>
            {t('confirm')}
          </Button>
        </div>
      </Stack>
    </Modal>
  );
}
