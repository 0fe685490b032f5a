import { call, toastText } from '@karaar/api-client';
import { authRoutes } from '@karaar/contracts/auth/http';
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
import { IdImageField } from '../../shared/identity/IdImageField.tsx';
import { pendingInvitation, type PendingInvitation } from '../../shared/pending-invitation.ts';
import { refusedField } from '../../shared/refused-field.ts';
import { sharedTexts } from '../../shared/texts.ts';
import { useFieldFaults } from '../../shared/useFieldFaults.ts';
import { useIdTypes } from '../../shared/identity/useIdTypes.ts';
import { useShell } from '../../shared/useShell.ts';
import { useTitle } from '../../shared/useTitle.ts';
import css from './auth.module.css';
import { LegalDialog, type LegalSlug } from './LegalDialog.tsx';
import { isOwnText, registerFaults, withPrefix, type Fields, type GovtIdType } from './rules.ts';
import { authTexts } from './texts.ts';

const empty: Fields = {
  name: '',
  email: '',
  phone_no: '',
  city: '',
  state: '',
  govt_id_type: '',
  govt_id_number: '',
};

const isAddress = (form: HTMLFormElement): boolean =>
  (form.elements.namedItem('email') as HTMLInputElement).checkValidity();

function provedOf(invitation: PendingInvitation | null): { phone_no?: string; email?: string } {
  const { contact, proof } = invitation ?? {};
  if (contact === undefined || proof === undefined) return {};
  return contact.startsWith('+91') ? { phone_no: contact.slice(3) } : { email: contact };
}

/** Registration with a government ID. */
export default function Register() {
  const t = useTexts(authTexts);
  const sayShared = useTexts(sharedTexts);
  useTitle(t('registerTitle'));
  // An invitation has already proved a number or an address, so the user does not type it.
  const [invitation] = useState(pendingInvitation);
  const proved = provedOf(invitation);
  const [fields, setFields] = useState<Fields>({ ...empty, ...proved });
  const [image, setImage] = useState<File | null>(null);
  const [progress, setProgress] = useState(0);
  const [legal, setLegal] = useState<LegalSlug | null>(null);

  const { form, faults, show, clear } = useFieldFaults<keyof Fields | 'image'>();
  const set = (name: keyof Fields, value: string) => {
    setFields({ ...fields, [name]: value });
    clear(name);
  };
  const field = (name: keyof Fields) => ({
    name,
    required: true,
    value: fields[name],
    error: faults[name],
    onChange: (event: { target: { value: string } }) => set(name, event.target.value),
  });

  const proof = proved.phone_no && invitation?.proof;
  const register = useRegister(fields, proof, {
    onProgress: setProgress,
    onRefusal: (error, text) => {
      const at = refusedField(error);
      if (at !== 'phone_no' && at !== 'email') return false;
      show({ [at]: text });
      return true;
    },
  });

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const wrong = registerFaults(fields, { email: isAddress(event.currentTarget), image: image !== null });
    const texts = Object.entries(wrong).map(([name, key]) => [
      name,
      isOwnText(key) ? t(key) : sayShared(key),
    ]);
    if (!show(Object.fromEntries(texts)) || !image || !fields.govt_id_type) return;
    register.mutate({ file: image, govt_id_type: fields.govt_id_type });
  };

  return (
    <div className={css.card} data-wide>
      <h1>{t('registerTitle')}</h1>
      <p className={css.lead}>{t('registerLead')}</p>
      <form ref={form} onSubmit={submit} noValidate>
        <Stack gap={3}>
          <PersonFields
            field={field}
            phoneProved={proved.phone_no !== undefined}
            onPhone={(phone_no) => set('phone_no', phone_no)}
          />
          <IdFields
            field={field}
            image={image}
            imageFault={faults.image}
            onImage={(chosen) => {
              setImage(chosen);
              clear('image');
            }}
          />
          <PrivacyNotice onOpen={setLegal} />
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

/**
 * Registers, and signs in if the server returns a session.
 * @param proof of an invitation that the number is the user's
 */
function useRegister(
  fields: Fields,
  proof: string | undefined,
  on: {
    onProgress: (share: number) => void;
    /** Shows a refusal at its field, and returns true if it has one. */
    onRefusal: (error: unknown, text: string) => boolean;
  },
) {
  const t = useTexts(authTexts);
  const navigate = useNavigate();
  const { signIn } = useShell();
  return useMutation({
    mutationFn: async ({ file, govt_id_type }: { file: File; govt_id_type: GovtIdType }) => {
      const answer = await call(
        authRoutes.register,
        {
          fields: {
            ...fields,
            govt_id_type,
            phone_no: withPrefix(fields.phone_no),
            language: activeLanguage(),
            ...(proof ? { contact_proof: proof } : {}),
          },
          files: { govt_id_image: file },
        },
        { onProgress: on.onProgress },
      );
      if (answer.session) await signIn(answer.session, withPrefix(fields.phone_no));
      return answer;
    },
    onSuccess: ({ session }) => {
      if (session) {
        toast.success(t('registerDoneIn'));
        return void navigate('/invitation', { replace: true });
      }
      toast.success(t('registerDone'));
      void navigate('/login', { state: { phone: fields.phone_no } });
    },
    onError: (error) => {
      const text = toastText(error, t('registerFailed'));
      if (!on.onRefusal(error, text)) toast.error(text);
    },
  });
}

type FieldOf = (name: keyof Fields) => {
  name: string;
  required: boolean;
  value: string;
  error: string | undefined;
  onChange: (event: { target: { value: string } }) => void;
};

type PersonFieldsProps = { field: FieldOf; phoneProved: boolean; onPhone: (phone: string) => void };

function PersonFields({ field, phoneProved, onPhone }: PersonFieldsProps) {
  const t = useTexts(authTexts);
  return (
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
            readOnly={phoneProved}
            hint={phoneProved ? t('phoneProved') : undefined}
            onChange={onPhone}
          />
          <TextField label={t('city')} autoComplete="address-level2" maxLength={80} {...field('city')} />
          <TextField label={t('state')} autoComplete="address-level1" maxLength={80} {...field('state')} />
        </Columns>
      </Stack>
    </fieldset>
  );
}

type IdFieldsProps = {
  field: FieldOf;
  image: File | null;
  imageFault: string | undefined;
  onImage: (image: File | null) => void;
};

function IdFields({ field, image, imageFault, onImage }: IdFieldsProps) {
  const t = useTexts(authTexts);
  const idTypes = useIdTypes();
  return (
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
        <IdImageField image={image} error={imageFault} onImage={onImage} />
      </Stack>
    </fieldset>
  );
}

/** Names the data that is kept of the user, and links to the privacy policy. */
function PrivacyNotice({ onOpen }: { onOpen: (slug: LegalSlug) => void }) {
  const t = useTexts(authTexts);
  return (
    <section className={css.notice} aria-label={t('noticeTitle')}>
      <h2>{t('noticeTitle')}</h2>
      <p>{t('noticeKept')}</p>
      <p>{t('noticeRights')}</p>
      <Row>
        <TextButton onClick={() => onOpen('terms')}>{t('terms')}</TextButton>
        <TextButton onClick={() => onOpen('privacy')}>{t('privacy')}</TextButton>
      </Row>
    </section>
  );
}
