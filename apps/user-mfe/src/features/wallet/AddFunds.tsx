import { useTexts } from '@karaar/i18n';
import { Button, Modal, Row, shortMoney, Stack, toast } from '@karaar/ui';
import { AmountField } from '@karaar/ui/amounts';
import { useState, type FormEvent } from 'react';
import { parseAmount } from './amount.ts';
import { walletTexts } from './texts.ts';
import css from './wallet.module.css';

const SUGGESTIONS = [100, 500, 1_000, 5_000] as const;

/** Asks for the amount. The payment happens in the provider's window. */
export function AddFunds({ onClose, onAmount }: { onClose: () => void; onAmount: (rupees: number) => void }) {
  const t = useTexts(walletTexts);
  const [amount, setAmount] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const parsed = parseAmount(amount);
    if (!parsed.ok) return toast.error(t(parsed.fault));
    onAmount(parsed.rupees);
  };
  return (
    <Modal title={t('addFunds')} opened onClose={onClose} width={440}>
      <form onSubmit={submit} noValidate>
        <Stack gap={2.5}>
          <AmountField
            label={t('amount')}
            hint={t('amountHint')}
            min={1}
            max={100_000}
            autoFocus
            value={amount}
            onChange={setAmount}
          />
          <div className={css.suggestions}>
            {SUGGESTIONS.map((rupees) => (
              <Button key={rupees} compact onClick={() => setAmount(String(rupees))}>
                {shortMoney(rupees)}
              </Button>
            ))}
          </div>
          <Row justify="flex-end">
            <Button onClick={onClose}>{t('cancel')}</Button>
            <Button type="submit" variant="primary">
              {t('pay')}
            </Button>
          </Row>
        </Stack>
      </form>
    </Modal>
  );
}
