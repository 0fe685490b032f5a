import { call, toastText } from '@karaar/api-client';
import { exceptionRoutes, type PaymentException, type Resolution } from '@karaar/contracts/wallet/exceptions';
import { useTexts } from '@karaar/i18n';
import { money, SelectField, TextField, toast } from '@karaar/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ADMIN_KEY } from '../../shared/queries.ts';
import { ReasonDialog } from '../../shared/ReasonDialog.tsx';
import { exceptionsTexts } from './texts.ts';
import { KIND_TEXTS, RESOLUTION_TEXTS } from './words.ts';

/** Proposes a resolution of an exception; another admin must confirm it. */
export function ProposeDialog({ row, onClose }: { row: PaymentException; onClose: () => void }) {
  const t = useTexts(exceptionsTexts);
  const queries = useQueryClient();
  const [resolution, setResolution] = useState<Resolution | ''>('');
  const [tried, setTried] = useState(false);
  const [userId, setUserId] = useState(row.user_id ?? '');
  const propose = useMutation({
    mutationFn: ({ resolution: chosen, reason }: { resolution: Resolution; reason: string }) =>
      call(exceptionRoutes.proposeResolution, {
        params: { id: row.exception_id },
        body: {
          version: row.version,
          resolution: chosen,
          reason,
          ...(chosen === 'credit_user' ? { user_id: userId.trim() } : {}),
        },
      }),
    onSuccess: () => {
      toast.success(t('proposedDone'));
      onClose();
    },
    onError: (error) => toast.error(toastText(error, t('proposeFailed'))),
    onSettled: () => queries.invalidateQueries({ queryKey: [ADMIN_KEY, 'exceptions'] }),
  });
  const submit = (reason: string) => {
    setTried(true);
    if (resolution) propose.mutate({ resolution, reason });
  };
  return (
    <ReasonDialog
      title={t('proposeTitle')}
      text={t('proposeText', { kind: t(KIND_TEXTS[row.kind]), amount: money(row.amount) })}
      confirm={t('propose')}
      busy={propose.isPending}
      onConfirm={submit}
      onClose={onClose}
    >
      <SelectField
        label={t('resolution')}
        placeholder={t('choose')}
        error={tried && !resolution ? t('resolutionMissing') : undefined}
        value={resolution}
        options={row.resolutions.map((value) => ({ value, label: t(RESOLUTION_TEXTS[value]) }))}
        onChange={(event) => setResolution(event.target.value as Resolution | '')}
      />
      {resolution === 'credit_user' && (
        <TextField
          label={t('userId')}
          hint={t('userIdHint')}
          value={userId}
          onChange={(event) => setUserId(event.target.value)}
        />
      )}
    </ReasonDialog>
  );
}
