import { useTexts } from '@karaar/i18n';
import { Sheet } from '@karaar/ui';
import { PartyFields, TermsFields } from '../form/DetailsFields.tsx';
import type { StepProps } from './DocumentStep.tsx';
import { createTexts } from '../texts.ts';
import type { Target } from '../people/useTarget.ts';

/**
 * The other party: a contact, or any user by ID.
 * @param props.onChosen called when a contact was pressed
 */
export function PeopleStep({
  entered,
  faultAt,
  target,
  onChosen,
}: StepProps & { target: Target; onChosen: () => void }) {
  const t = useTexts(createTexts);
  const { form, language } = entered;
  return (
    <Sheet title={t('agreement')} note={t('agreementNote')}>
      <PartyFields
        form={form}
        onChange={(next) => entered.change({ form: next })}
        target={target}
        fault={faultAt('target')}
        dayFault={faultAt('answer_by')}
        onChoose={(charId) => {
          entered.change({ form: { ...form, target_user_char_id: charId, invite_by: 'id' } });
          onChosen();
        }}
        language={language}
        onLanguage={(next) => entered.change({ language: next })}
      />
    </Sheet>
  );
}

/** Start and end date, and the price. */
export function TermsStep({ entered }: StepProps) {
  const t = useTexts(createTexts);
  return (
    <Sheet title={t('stepTerms')} note={t('termsNote')}>
      <TermsFields form={entered.form} onChange={(form) => entered.change({ form })} />
    </Sheet>
  );
}
