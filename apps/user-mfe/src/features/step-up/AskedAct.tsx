import type { StepUpAct } from '@karaar/contracts/step-up';
import { useTexts } from '@karaar/i18n';
import { money } from '@karaar/ui';
import { phoneText } from '../../shared/phone-text.ts';
import { profileTexts } from '../../shared/catalogs/profile/texts.ts';

/**
 * Names the act to confirm.
 * @param name of the document, for a payment
 */
export function AskedAct({ act, name }: { act: StepUpAct; name: string }) {
  const t = useTexts(profileTexts);
  return (
    <div>
      <p className="k-muted">{t('stepUpYouConfirm')}</p>
      <p>
        <strong>{words()}</strong>
      </p>
    </div>
  );

  function words(): string {
    switch (act.action) {
      case 'pay':
        return t('stepUpPay', { amount: money(act.amount_paise / 100), name });
      case 'change_phone':
        return t('stepUpPhone', { phone: phoneText(act.phone_no) });
      case 'export':
        return t('stepUpExport');
      case 'delete_account':
        return t('stepUpDelete');
    }
  }
}
