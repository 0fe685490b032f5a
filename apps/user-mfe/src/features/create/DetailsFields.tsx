import { LANGUAGES, type Language } from '@karaar/contracts/limits';
import { LANGUAGE_NAMES, useTexts } from '@karaar/i18n';
import { Columns, SelectField, Stack, TextArea, TextField } from '@karaar/ui';
import { CodeField, DateField } from '@karaar/ui/fields';
import type { CreateForm } from './form.ts';
import { createTexts } from './texts.ts';
import { useTarget } from './useTarget.ts';

type FormProps = { form: CreateForm; onChange: (form: CreateForm) => void };

/** Name, place, days and description. */
export function DetailsFields({ form, onChange }: FormProps) {
  const t = useTexts(createTexts);
  const field = (name: 'name' | 'location' | 'description') => ({
    name,
    value: form[name],
    onChange: (event: { target: { value: string } }) => onChange({ ...form, [name]: event.target.value }),
  });
  return (
    <Stack>
      <TextField label={t('name')} placeholder={t('namePlaceholder')} maxLength={200} {...field('name')} />
      <TextField label={t('location')} required={false} maxLength={200} {...field('location')} />
      <Columns min={200}>
        <DateField
          label={t('startDate')}
          required={false}
          value={form.start_date}
          onChange={(start_date) => onChange({ ...form, start_date })}
        />
        <DateField
          label={t('endDate')}
          required={false}
          min={form.start_date || undefined}
          value={form.end_date}
          onChange={(end_date) => onChange({ ...form, end_date })}
        />
      </Columns>
      <TextArea label={t('description')} required={false} maxLength={5_000} {...field('description')} />
    </Stack>
  );
}

type PartyProps = FormProps & { language: Language | ''; onLanguage: (language: Language | '') => void };

/** The other party, and in which language the invitation's text message is written. */
export function PartyFields({ form, onChange, language, onLanguage }: PartyProps) {
  const t = useTexts(createTexts);
  const target = useTarget(form.target_user_char_id);
  return (
    <Columns min={240}>
      <CodeField
        label={t('target')}
        hint={target.hint}
        error={target.error}
        name="target_user_char_id"
        value={form.target_user_char_id}
        onChange={(id) => onChange({ ...form, target_user_char_id: id })}
      />
      <NoticeLanguageField language={language} onLanguage={onLanguage} />
    </Columns>
  );
}

/** The languages by their own names: whoever chooses one for another may read none of them. */
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
