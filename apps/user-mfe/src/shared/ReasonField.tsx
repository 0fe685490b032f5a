import { useTexts } from '@karaar/i18n';
import { TextArea } from '@karaar/ui';
import { sharedTexts } from './texts.ts';

/** Characters of a reason at most, as the services hold it. */
const REASON_MAX = 500;

type ReasonFieldProps = { reason: string; onReason: (reason: string) => void };

/** Why a party rejects or leaves, for those who want to say it. */
export function ReasonField({ reason, onReason }: ReasonFieldProps) {
  const t = useTexts(sharedTexts);
  return (
    <TextArea
      label={t('reason')}
      hint={t('reasonHint')}
      required={false}
      rows={2}
      maxLength={REASON_MAX}
      value={reason}
      onChange={(event) => onReason(event.target.value)}
    />
  );
}
