import { answerText, call, toastText } from '@karaar/api-client';
import { walletRoutes } from '@karaar/contracts/wallet/http';
import { readPlain } from '@karaar/contracts/typed/read';
import { useTexts } from '@karaar/i18n';
import { Button, Modal, money, Row, Stack, TextField, toast } from '@karaar/ui';
import { AmountField } from '@karaar/ui/amounts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { parseAmount } from './amount.ts';
import { walletTexts } from './texts.ts';

/** Claims a captured payment that the wallet has not recorded. */
export function ClaimTopUp({ onClose }: { onClose: () => void }) {
  const t = useTexts(walletTexts);
  const queries = useQueryClient();
  const [amount, setAmount] = useState('');
  const [receipt, setReceipt] = useState('');
  const claim = useMutation({
    mutationFn: (rupees: number) =>
      call(walletRoutes.addFunds, { body: { amount: rupees, payment_receipt: readPlain(receipt).trim() } }),
    onSuccess: async ({ success, message }, rupees) => {
      if (!success) return void toast.error(answerText(message, t('claimFailed')));
      toast.success(t('done', { amount: money(rupees) }));
      onClose();
      await queries.invalidateQueries({ queryKey: ['wallet'] });
    },
    onError: (error) => toast.error(toastText(error, t('claimFailed'))),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const parsed = parseAmount(amount);
    if (!parsed.ok) return toast.error(t(parsed.fault));
    claim.mutate(parsed.rupees);
  };
  return (
    <Modal title={t('missing')} opened onClose={onClose} width={440}>
      <form onSubmit={submit} noValidate>
        <Stack gap={2.5}>
          <p>{t('claimHelp')}</p>
          <AmountField label={t('amount')} min={1} max={100_000} value={amount} onChange={setAmount} />
          <TextField
            label={t('paymentId')}
            maxLength={100}
            value={receipt}
            onChange={(event) => setReceipt(event.target.value)}
          />
          <Row justify="flex-end">
            <Button onClick={onClose}>{t('cancel')}</Button>
            <Button
              type="submit"
              variant="primary"
              loading={claim.isPending}
              disabled={receipt.trim() === ''}
            >
              {t('claim')}
            </Button>
          </Row>
        </Stack>
      </form>
    </Modal>
  );
}
