import { LANGUAGES, type Language } from '@karaar/contracts/limits';
import { LANGUAGE_NAMES, screen, useTexts } from '@karaar/i18n';
import { Columns, LoadBoundary, SelectField, Skeleton, Stack, TextArea, TextField } from '@karaar/ui';
import { DateField } from '@karaar/ui/fields';
import { Suspense, type ReactNode } from 'react';
import { Contacts } from '../people/Contacts.tsx';
import type { CreateForm } from './form.ts';
import { InviteFields } from '../people/InviteFields.tsx';
import { PriceLine } from './PriceLine.tsx';
import { datesFault } from '../steps/steps.ts';
import { createTexts } from '../texts.ts';
import type { Target } from '../people/useTarget.ts';

// In a chunk that the form loads anyway.
const DeadlineFields = screen(
  () => import(/* webpackChunkName: "capturing" */ '../../answer-by/DeadlineFields.tsx'),
  [],
);

type FormProps = { form: CreateForm; onChange: (form: CreateForm) => void };

type DetailsProps = FormProps & { fault: string | undefined; belowName: ReactNode };

/** Name, place and description. */
export function DetailsFields({ form, onChange, fault, belowName }: DetailsProps) {
  const t = useTexts(createTexts);
  const field = (name: 'name' | 'location' | 'description') => ({
    name,
    value: form[name],
    onChange: (event: { target: { value: string } }) => onChange({ ...form, [name]: event.target.value }),
  });
  return (
    <Stack>
      <TextField
        label={t('name')}
        placeholder={t('namePlaceholder')}
        maxLength={200}
        error={fault}
        {...field('name')}
      />
      {belowName}
      <TextField label={t('location')} required={false} maxLength={200} {...field('location')} />
      <TextArea label={t('description')} required={false} maxLength={5_000} {...field('description')} />
    </Stack>
  );
}

/** Start and end date, with the price. */
export function TermsFields({ form, onChange }: FormProps) {
  const t = useTexts(createTexts);
  return (
    <Stack>
      <Columns min={200}>
        <DateField
          label={t('startDate')}
          name="start_date"
          required={false}
          value={form.start_date}
          onChange={(day, typed) => onChange({ ...form, start_date: day || typed })}
        />
        <DateField
          label={t('endDate')}
          name="end_date"
          required={false}
          value={form.end_date}
          min={form.start_date || undefined}
          error={datesFault(form)?.key === 'datesReversed' ? t('datesReversed') : undefined}
          onChange={(day, typed) => onChange({ ...form, end_date: day || typed })}
        />
      </Columns>
      <PriceLine form={form} />
    </Stack>
  );
}

type PartyProps = FormProps & {
  target: Target;
  /** The error to show once the user tried to continue. */
  fault: string | undefined;
  dayFault: string | undefined;
  onChoose: (charId: string) => void;
  language: Language | '';
  onLanguage: (language: Language | '') => void;
};

/** The other party, and the language of the invitation SMS. */
export function PartyFields(props: PartyProps) {
  const t = useTexts(createTexts);
  const { form, onChange, target, fault, dayFault, onChoose, language, onLanguage } = props;
  const id = form.target_user_char_id;
  return (
    <Stack>
      <Contacts chosen={id} onChoose={onChoose} />
      <Columns min={240}>
        <InviteFields
          by={form.invite_by === 'contact' ? 'contact' : 'id'}
          onBy={(invite_by) => onChange({ ...form, invite_by })}
          id={{
            label: t('target'),
            hint: target.name ? t('targetIs', { name: target.name }) : t('targetHint'),
            error: target.fault ? t(target.fault) : fault,
            value: id,
            onChange: (next) => onChange({ ...form, target_user_char_id: next }),
          }}
          contact={{
            error: fault,
            value: form.target_contact,
            onChange: (target_contact) => onChange({ ...form, target_contact }),
          }}
        />
        <Stack>
          <NoticeLanguageField language={language} onLanguage={onLanguage} />
          <LoadBoundary>
            <Suspense fallback={<Skeleton height={72} />}>
              <DeadlineFields
                answer_by={form.answer_by}
                late={form.late}
                error={dayFault}
                onChange={(deadline) => onChange({ ...form, ...deadline })}
              />
            </Suspense>
          </LoadBoundary>
        </Stack>
      </Columns>
    </Stack>
  );
}

/** Languages by their own names: the user who chooses for another person may read none of them. */
export function NoticeLanguageField(props: {
  language: Language | '';
  onLanguage: (language: Language | '') => void;
}) {
  const t = useTexts(createTexts);
  return (
    <SelectField
      label={t('noticeLanguage')}
      required={false}
      placeholder={t('theirLanguage')}
      options={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
      value={props.language}
      onChange={(event) => props.onLanguage(LANGUAGES.find((each) => each === event.target.value) ?? '')}
    />
  );
}
