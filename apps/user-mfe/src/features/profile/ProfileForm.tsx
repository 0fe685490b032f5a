import { call, toastText } from '@karaar/api-client';
import { authRoutes, type User } from '@karaar/contracts/auth/http';
import { useTexts } from '@karaar/i18n';
import { Button, Columns, Row, SelectField, Sheet, Stack, TextField, toast } from '@karaar/ui';
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { IdImageField } from '../../shared/identity/IdImageField.tsx';
import { isIdType } from '../../shared/identity/id-image.ts';
import { idNumberFault } from '../../shared/identity/id-number.ts';
import { refusedField } from '../../shared/refused-field.ts';
import { sharedTexts } from '../../shared/texts.ts';
import { useFieldFaults } from '../../shared/useFieldFaults.ts';
import { useIdTypes } from '../../shared/identity/useIdTypes.ts';
import { useShell } from '../../shared/useShell.ts';
import { profileTexts } from '../../shared/catalogs/profile/texts.ts';

const fieldNames = ['name', 'email', 'city', 'state', 'govt_id_type', 'govt_id_number'] as const;
type FieldName = (typeof fieldNames)[number];

/** Returns the filled fields; empty ones stay unchanged on the server. */
function sentFields(fields: Record<FieldName, string>) {
  const { govt_id_type, ...rest } = fields;
  const filled = Object.fromEntries(Object.entries(rest).filter(([, value]) => value.trim() !== ''));
  return isIdType(govt_id_type) ? { ...filled, govt_id_type } : filled;
}

/** Edits the user's profile. The phone number is the sign-in and cannot be changed here. */
export function ProfileForm({ user, onDone }: { user: User; onDone: () => void }) {
  const t = useTexts(profileTexts);
  const sayShared = useTexts(sharedTexts);
  const idTypes = useIdTypes();
  const { replaceUser } = useShell();
  const [fields, setFields] = useState(
    () => Object.fromEntries(fieldNames.map((name) => [name, user[name] ?? ''])) as Record<FieldName, string>,
  );
  const [image, setImage] = useState<File | null>(null);
  const { form, faults, show, clear } = useFieldFaults<FieldName>();
  const field = (name: FieldName) => ({
    name,
    label: t(name),
    // A stored value can be changed but not deleted: a blank is not sent.
    ...(user[name] ? { required: true } : {}),
    value: fields[name],
    error: faults[name],
    onChange: (event: { target: { value: string } }) => {
      setFields({ ...fields, [name]: event.target.value });
      clear(name);
    },
  });
  const save = useMutation({
    mutationFn: () =>
      call(authRoutes.updateProfile, {
        fields: sentFields(fields),
        files: image ? { govt_id_image: image } : {},
      }),
    onSuccess: (profile) => {
      replaceUser(profile);
      toast.success(t('saved'));
      onDone();
    },
    onError: (error) => {
      const text = toastText(error, t('saveFailed'));
      if (refusedField(error) === 'email') show({ email: text });
      else toast.error(text);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { govt_id_type, govt_id_number } = fields;
    // Unchanged: the displayed value came back, with the digits of an Aadhaar hidden.
    const own = govt_id_type === user.govt_id_type && govt_id_number === user.govt_id_number;
    const wrong =
      !own && isIdType(govt_id_type) && govt_id_number.trim() !== ''
        ? idNumberFault(govt_id_type, govt_id_number)
        : undefined;
    if (show(wrong ? { govt_id_number: sayShared(wrong) } : {})) save.mutate();
  };
  return (
    <form ref={form} onSubmit={submit}>
      <Stack gap={2.5}>
        <Sheet title={t('basics')}>
          <Stack>
            <TextField {...field('name')} maxLength={120} autoComplete="name" />
            <Columns min={240}>
              <TextField {...field('email')} type="email" maxLength={254} autoComplete="email" />
              <TextField label={t('phone_no')} value={user.phone_no} disabled />
              <TextField {...field('city')} maxLength={80} autoComplete="address-level2" />
              <TextField {...field('state')} maxLength={80} autoComplete="address-level1" />
            </Columns>
          </Stack>
        </Sheet>
        <Sheet title={t('govtId')}>
          <Stack>
            <Columns min={240}>
              <SelectField {...field('govt_id_type')} options={idTypes} placeholder={t('chooseIdType')} />
              <TextField {...field('govt_id_number')} maxLength={40} autoComplete="off" spellCheck={false} />
            </Columns>
            <IdImageField image={image} onImage={setImage} />
          </Stack>
        </Sheet>
        <Row justify="flex-end">
          <Button onClick={onDone}>{t('cancel')}</Button>
          <Button type="submit" variant="primary" loading={save.isPending}>
            {t('save')}
          </Button>
        </Row>
      </Stack>
    </form>
  );
}
