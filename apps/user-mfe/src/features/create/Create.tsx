import { useTexts } from '@karaar/i18n';
import { Button, Columns, Modal, Page, Sheet, Stack, TextArea, TextField, toast } from '@karaar/ui';
import { useState, type FormEvent } from 'react';
import { useCompleteProfile } from '../../shared/useCompleteProfile.ts';
import { useTitle } from '../../shared/useTitle.ts';
import { PhotoCapture } from '../verification/PhotoCapture.tsx';
import { verificationTexts } from '../verification/texts.ts';
import verificationCss from '../verification/verification.module.css';
import {
  missingText,
  nextPhoto,
  photoQuality,
  type PhotoPart,
  type Verification,
} from '../verification/verification.ts';
import { VerificationDialog } from '../verification/VerificationDialog.tsx';
import { VerificationPiece } from '../verification/VerificationPiece.tsx';
import { FileList } from './FileList.tsx';
import { emptyForm, formFault, idCharacters, type CreateForm } from './form.ts';
import { PageDetails } from './PageDetails.tsx';
import { createTexts } from './texts.ts';
import { useCreate } from './useCreate.ts';

const photoParts: readonly PhotoPart[] = ['profile_pic', 'eye'];

/** A new agreement: what it is, its files, the other party, and the creator's verification. */
export default function Create() {
  const t = useTexts(createTexts);
  const sayVerification = useTexts(verificationTexts);
  useTitle(t('title'));
  const profileIsComplete = useCompleteProfile();
  const { create, sending, progress } = useCreate();
  const [form, setForm] = useState<CreateForm>(emptyForm);
  const [files, setFiles] = useState<File[]>([]);
  const [photos, setPhotos] = useState<Verification>({});
  const [capturing, setCapturing] = useState<PhotoPart | null>(null);
  const [signing, setSigning] = useState(false);

  const field = (name: Exclude<keyof CreateForm, 'page_details'>) => ({
    name,
    value: form[name],
    onChange: (event: { target: { value: string } }) => setForm({ ...form, [name]: event.target.value }),
  });
  const fault = formFault(form, files.length);
  const blank = files.length === 0 || form.name === '' || form.target_user_char_id === '';

  const taken = (part: PhotoPart) => (photo: File) => {
    const next = { ...photos, [part]: photo };
    setPhotos(next);
    setCapturing(nextPhoto(next));
    // Both photos are there: the signature is the last step, if all else is.
    if (!nextPhoto(next) && !fault) setSigning(true);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!profileIsComplete()) return;
    if (fault) return toast.error(t(fault));
    const photo = nextPhoto(photos);
    if (!photo) return setSigning(true);
    const missing = missingText('create', photos);
    if (missing) toast.error(sayVerification(missing));
    setCapturing(photo);
  };

  return (
    <Page title={t('title')} lead={t('lead')} narrow>
      <form onSubmit={submit} noValidate>
        <Stack gap={2.5}>
          <Sheet title={t('details')}>
            <Stack>
              <TextField
                label={t('name')}
                placeholder={t('namePlaceholder')}
                maxLength={200}
                {...field('name')}
              />
              <TextField label={t('location')} required={false} maxLength={200} {...field('location')} />
              <Columns min={200}>
                <TextField label={t('startDate')} required={false} type="date" {...field('start_date')} />
                <TextField
                  label={t('endDate')}
                  required={false}
                  type="date"
                  min={form.start_date || undefined}
                  {...field('end_date')}
                />
              </Columns>
              <TextArea
                label={t('description')}
                required={false}
                maxLength={5_000}
                {...field('description')}
              />
            </Stack>
          </Sheet>
          <Sheet title={t('pageDetails')} note={t('pageDetailsNote')}>
            <PageDetails
              entries={form.page_details}
              onChange={(page_details) => setForm({ ...form, page_details })}
            />
          </Sheet>
          <Sheet title={t('files')} note={t('filesNote')}>
            <FileList files={files} onChange={setFiles} />
          </Sheet>
          <Sheet title={t('agreement')} note={t('agreementNote')}>
            <TextField
              label={t('target')}
              hint={t('targetHint')}
              code
              maxLength={8}
              autoCapitalize="characters"
              autoComplete="off"
              spellCheck={false}
              {...field('target_user_char_id')}
              onChange={(event) =>
                setForm({ ...form, target_user_char_id: idCharacters(event.target.value) })
              }
            />
          </Sheet>
          <Sheet title={t('you')} note={t('youNote')}>
            <ul className={verificationCss.pieces}>
              {photoParts.map((part) => (
                <VerificationPiece key={part} part={part} file={photos[part]} onCapture={setCapturing} />
              ))}
            </ul>
          </Sheet>
          <Button type="submit" variant="primary" wide disabled={blank}>
            {t('submit')}
          </Button>
        </Stack>
      </form>
      {capturing && (
        <Modal
          title={
            capturing === 'profile_pic' ? sayVerification('captureProfile') : sayVerification('captureEye')
          }
          opened
          onClose={() => setCapturing(null)}
          width={640}
          dismissible={false}
        >
          <PhotoCapture part={capturing} quality={photoQuality('create')} onTaken={taken(capturing)} />
        </Modal>
      )}
      {signing && !capturing && (
        <VerificationDialog
          purpose="create"
          initial={photos}
          sending={sending}
          progress={progress}
          onCancel={() => setSigning(false)}
          onComplete={(verification) => create({ form, files, verification })}
        />
      )}
    </Page>
  );
}
