import { call, toastText } from '@karaar/api-client';
import { walletRoutes } from '@karaar/contracts/wallet/http';
import { useTexts } from '@karaar/i18n';
import { Button, money, Banner, Row, Stack, toast } from '@karaar/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { profileTexts } from '../../shared/catalogs/profile/texts.ts';

type Asked = {
  /** The balance in rupees: less than a card refund allows. */
  amount: number;
  /** Called in any case: the obstacles to the deletion may have changed. */
  onDone: () => void;
  onClose: () => void;
};

/**
 * Asks the user to give up the last paise of the wallet, so that the account can be deleted. One dialog is
 * one consent.
 */
export function GiveUpRest({ amount, onDone, onClose }: Asked) {
  const t = useTexts(profileTexts);
  const queries = useQueryClient();
  const [key] = useState(() => crypto.randomUUID());
  const giveUp = useMutation({
    // Another amount needs another consent.
    mutationFn: () =>
      call(walletRoutes.giveUpRest, { body: { amount, idempotency_key: `${key}:${amount}` } }),
    onSuccess: () => toast.success(t('restGivenUp', { amount: money(amount) })),
    onError: (error) => toast.error(toastText(error, t('restFailed'))),
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: ['wallet'] });
      onDone();
    },
  });
  return (
    <Stack gap={2.5}>
      <Banner tone="warning">{t('deleteBlocked')}</Banner>
      <p>{t('restText', { amount: money(amount) })}</p>
      <Row justify="flex-end">
        <Button onClick={onClose}>{t('close')}</Button>
        <Button variant="reject" loading={giveUp.isPending} onClick={() => giveUp.mutate()}>
          {t('restGiveUp', { amount: money(amount) })}
        </Button>
      </Row>
    </Stack>
  );
}
