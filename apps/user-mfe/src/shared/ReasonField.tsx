import { useTexts } from '@karaar/i18n';
import { TextArea } from '@karaar/ui';
import { sharedTexts } from './texts.ts';

/** The maximum number of characters of a reason, as in the services. */
const REASON_MAX = 500;

type ReasonFieldProps = { reason: string; onReason: (reason: string) => void; required?: boolean };

/** The reason for rejecting or withdrawing, which is optional, or for cancelling. */
export function ReasonField({ reason, onReason, required = false }: ReasonFieldProps) {
  const t = useTexts(sharedTexts);
  return (
    <TextArea
      label={t('reason')}
      hint={t('reasonHint')}
      required={required}
      rows={2}
      maxLength={REASON_MAX}
      value={reason}
      onChange={(event) => onReason(event.target.value)}
    />
  );
}
