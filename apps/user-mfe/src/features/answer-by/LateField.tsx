import { useTexts } from '@karaar/i18n';
import { SegmentedControl } from '@karaar/ui/fields';
import { dashboardTexts } from '../../shared/catalogs/dashboard/texts.ts';

type LateFieldProps = { cancels: boolean; onChange: (cancels: boolean) => void };

/** The choice between leaving the document open after its answer-by date and cancelling it. */
export function LateField({ cancels, onChange }: LateFieldProps) {
  const t = useTexts(dashboardTexts);
  return (
    <>
      <SegmentedControl
        label={t('lateTitle')}
        options={[
          { value: 'open', label: t('lateOpen') },
          { value: 'cancel', label: t('lateCancel') },
        ]}
        value={cancels ? 'cancel' : 'open'}
        onChange={(value) => onChange(value === 'cancel')}
      />
      <p className="k-muted">{t(cancels ? 'lateCancelNote' : 'lateOpenNote')}</p>
    </>
  );
}
