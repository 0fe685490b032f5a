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
import { createTexts as texts } from './texts.ts';
import { useCreate } from './useCreate.ts';

const photoParts: readonly PhotoPart[] = ['profile_pic', 'eye'];

/** A new agreement: what it is, its files, the other party, and the creator's verification. */
export default function Create() {
  useTitle(texts.title);
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
    if (fault) return toast.error(fault);
    const photo = nextPhoto(photos);
    if (!photo) return setSigning(true);
    toast.error(missingText('create', photos));
    setCapturing(photo);
  };

  return (
    <Page title={texts.title} lead={texts.lead} narrow>
      <form onSubmit={submit} noValidate>
        <Stack gap={2.5}>
          <Sheet title={texts.details}>
            <Stack>
              <TextField
                label={texts.name}
                placeholder={texts.namePlaceholder}
                maxLength={200}
                {...field('name')}
              />
              <TextField label={texts.location} required={false} maxLength={200} {...field('location')} />
              <Columns min={200}>
                <TextField label={texts.startDate} required={false} type="date" {...field('start_date')} />
                <TextField
                  label={texts.endDate}
                  required={false}
                  type="date"
                  min={form.start_date || undefined}
                  {...field('end_date')}
                />
              </Columns>
              <TextArea
                label={texts.description}
                required={false}
                maxLength={5_000}
                {...field('description')}
              />
            </Stack>
          </Sheet>
          <Sheet title={texts.pageDetails} note={texts.pageDetailsNote}>
            <PageDetails
              entries={form.page_details}
              onChange={(page_details) => setForm({ ...form, page_details })}
            />
          </Sheet>
          <Sheet title={texts.files} note={texts.filesNote}>
            <FileList files={files} onChange={setFiles} />
          </Sheet>
          <Sheet title={texts.agreement} note={texts.agreementNote}>
            <TextField
              label={texts.target}
              hint={texts.targetHint}
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
          <Sheet title={texts.you} note={texts.youNote}>
            <ul className={verificationCss.pieces}>
              {photoParts.map((part) => (
                <VerificationPiece key={part} part={part} file={photos[part]} onCapture={setCapturing} />
              ))}
            </ul>
          </Sheet>
          <Button type="submit" variant="primary" wide disabled={blank}>
            {texts.submit}
          </Button>
        </Stack>
      </form>
      {capturing && (
        <Modal
          title={
            capturing === 'profile_pic' ? verificationTexts.captureProfile : verificationTexts.captureEye
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
