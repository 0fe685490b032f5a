import { call, toastText } from '@karaar/api-client';
import { authRoutes } from '@karaar/contracts/auth/http';
import type { GOVT_ID_TYPES } from '@karaar/contracts/limits';
import { activeLanguage, useTexts } from '@karaar/i18n';
import {
  Button,
  Columns,
  ProgressBar,
  Row,
  SelectField,
  Stack,
  TextButton,
  TextField,
  toast,
} from '@karaar/ui';
import { PhoneField } from '@karaar/ui/fields';
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { Link, useNavigate } from 'react-router';
import { IdImageField } from '../../shared/IdImageField.tsx';
import { useIdTypes } from '../../shared/useIdTypes.ts';
import { useTitle } from '../../shared/useTitle.ts';
import css from './auth.module.css';
import { LegalDialog, type LegalSlug } from './LegalDialog.tsx';
import { isWholePhone, withPrefix } from './rules.ts';
import { authTexts } from './texts.ts';

type GovtIdType = (typeof GOVT_ID_TYPES)[number];
type Fields = Record<'name' | 'email' | 'phone_no' | 'city' | 'state' | 'govt_id_number', string> & {
  govt_id_type: GovtIdType | '';
};

const empty: Fields = {
  name: '',
  email: '',
  phone_no: '',
  city: '',
  state: '',
  govt_id_type: '',
  govt_id_number: '',
};

/** Registration with a government ID. */
export default function Register() {
  const t = useTexts(authTexts);
  const idTypes = useIdTypes();
  useTitle(t('registerTitle'));
  const navigate = useNavigate();
  const [fields, setFields] = useState<Fields>(empty);
  const [image, setImage] = useState<File | null>(null);
  const [progress, setProgress] = useState(0);
  const [legal, setLegal] = useState<LegalSlug | null>(null);

  const field = (name: keyof Fields) => ({
    name,
    required: true,
    value: fields[name],
    onChange: (event: { target: { value: string } }) => setFields({ ...fields, [name]: event.target.value }),
  });

  const register = useMutation({
    mutationFn: ({ file, govt_id_type }: { file: File; govt_id_type: GovtIdType }) =>
      call(
        authRoutes.register,
        {
          fields: {
            ...fields,
            govt_id_type,
            phone_no: withPrefix(fields.phone_no),
            language: activeLanguage(),
          },
          files: { govt_id_image: file },
        },
        { onProgress: setProgress },
      ),
    onSuccess: () => {
      toast.success(t('registerDone'));
      void navigate('/login', { state: { phone: fields.phone_no } });
    },
    onError: (error) => toast.error(toastText(error, t('registerFailed'))),
  });

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isWholePhone(fields.phone_no)) return toast.error(t('badPhone'));
    if (!image) return toast.error(t('imageMissing'));
    // The browser's own check of required fields has seen to the ID type.
    if (fields.govt_id_type) register.mutate({ file: image, govt_id_type: fields.govt_id_type });
  };

  return (
    <div className={css.card} data-wide>
      <h1>{t('registerTitle')}</h1>
      <p className={css.lead}>{t('registerLead')}</p>
      <form onSubmit={submit}>
        <Stack gap={3}>
          <fieldset className={css.group}>
            <legend>{t('you')}</legend>
            <Stack>
              <TextField label={t('name')} autoComplete="name" maxLength={120} {...field('name')} />
              <Columns min={250}>
                <TextField
                  label={t('email')}
                  type="email"
                  autoComplete="email"
                  maxLength={254}
                  {...field('email')}
                />
                <PhoneField
                  label={t('phone')}
                  placeholder={t('phonePlaceholder')}
                  {...field('phone_no')}
                  onChange={(phone_no) => setFields({ ...fields, phone_no })}
                />
                <TextField
                  label={t('city')}
                  autoComplete="address-level2"
                  maxLength={80}
                  {...field('city')}
                />
                <TextField
                  label={t('state')}
                  autoComplete="address-level1"
                  maxLength={80}
                  {...field('state')}
                />
              </Columns>
            </Stack>
          </fieldset>
          <fieldset className={css.group}>
            <legend>{t('govtId')}</legend>
            <Stack>
              <Columns min={250}>
                <SelectField
                  label={t('govtIdType')}
                  options={idTypes}
                  placeholder={t('chooseIdType')}
                  {...field('govt_id_type')}
                />
                <TextField
                  label={t('govtIdNumber')}
                  autoComplete="off"
                  spellCheck={false}
                  maxLength={40}
                  {...field('govt_id_number')}
                />
              </Columns>
              <IdImageField image={image} onImage={setImage} />
            </Stack>
          </fieldset>
          <section className={css.notice} aria-label={t('noticeTitle')}>
            <h2>{t('noticeTitle')}</h2>
            <p>{t('noticeKept')}</p>
            <p>{t('noticeRights')}</p>
            <Row>
              <TextButton onClick={() => setLegal('terms')}>{t('terms')}</TextButton>
              <TextButton onClick={() => setLegal('privacy')}>{t('privacy')}</TextButton>
            </Row>
          </section>
          {register.isPending && <ProgressBar label={t('uploading')} value={progress} />}
          <Button type="submit" variant="primary" wide loading={register.isPending}>
            {t('register')}
          </Button>
        </Stack>
      </form>
      <LegalDialog slug={legal} onClose={() => setLegal(null)} />
      <div className={css.switch}>
        <Row justify="center">
          <span className="k-muted">{t('haveAccount')}</span>
          <Link to="/login">{t('toLogin')}</Link>
        </Row>
      </div>
    </div>
  );
}
