import type { Document } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { Button, Notice, Page, Row, Sheet, Stack, toast, type PhotoOrigin } from '@karaar/ui';
import { useId, useState, type FormEvent } from 'react';
import { useCompleteProfile } from '../../shared/useCompleteProfile.ts';
import { CaptureModal } from '../verification/CaptureModal.tsx';
import { verificationTexts } from '../verification/texts.ts';
import verificationCss from '../verification/verification.module.css';
import {
  missingText,
  nextPhoto,
  type CompleteVerification,
  type PhotoPart,
  withPhoto,
} from '../verification/verification.ts';
import { VerificationDialog } from '../verification/VerificationDialog.tsx';
import { VerificationPiece } from '../verification/VerificationPiece.tsx';
import { DetailsFields, PartyFields } from './DetailsFields.tsx';
import { DiscardDraft } from './DiscardDraft.tsx';
import { FileList } from './FileList.tsx';
import { formFault, type CreateForm } from './form.ts';
import { KeptPictures } from './KeptPictures.tsx';
import { PageDetails } from './PageDetails.tsx';
import { createTexts } from './texts.ts';
import { useEntered } from './useEntered.ts';
import { useKeptPictures } from './useKeptPictures.ts';
import { useSending } from './useSending.ts';

const photoParts: readonly PhotoPart[] = ['profile_pic', 'eye'];

/** What the agreement is, its files, the other party, and the creator's verification. */
export function AgreementForm({ draft }: { draft?: Document }) {
  const t = useTexts(createTexts);
  const sayVerification = useTexts(verificationTexts);
  const profile = useCompleteProfile();
  const { form, language, files, kept, photos, accepted, ...entered } = useEntered(draft);
  const sending = useSending(profile.refused, entered.forget);
  const setForm = (next: CreateForm) => entered.change({ form: next });
  const [capturing, setCapturing] = useState<PhotoPart | null>(null);
  const [signing, setSigning] = useState(false);
  const lackId = useId();

  const about = draft ? { document_id: draft.document_id } : {};
  const busy = sending.saving || sending.creating;
  const fileCount = files.length + kept.length;
  const fault = formFault(form, fileCount);
  const blank = fileCount === 0 || form.name === '' || form.target_user_char_id === '';
  const asked = useKeptPictures({
    files,
    onFiles: (next) => entered.change({ files: next }),
    kept,
    onKept: (next) => entered.change({ kept: next }),
    accepted,
  });
  const sent = {
    form,
    files,
    accepted,
    draft: draft && { id: draft.document_id, keep: kept.map((file) => file.file_id) },
  };
  const send = (verification: CompleteVerification) => sending.create({ ...sent, verification, language });

  const taken = (part: PhotoPart) => (photo: File, origin: PhotoOrigin) => {
    const next = withPhoto(photos, part, photo, origin);
    entered.change({ photos: next });
    setCapturing(nextPhoto(next));
    // Both photos are there: the signature is the last step, if all else is.
    if (!nextPhoto(next) && !fault) setSigning(true);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!profile.isComplete()) return;
    if (fault) return toast.error(t(fault));
    if (asked.some((file) => !file.isAccepted)) return toast.error(t('picturesOpen'));
    const photo = nextPhoto(photos);
    if (!photo) return setSigning(true);
    const missing = missingText('create', photos);
    if (missing) toast.error(sayVerification(missing));
    setCapturing(photo);
  };
  const save = () => {
    if (!form.name.trim()) return toast.error(t('nameMissing'));
    sending.save(sent);
  };
  const complete = (verification: CompleteVerification) => {
    entered.change({ photos: verification });
    setSigning(false);
    send(verification);
  };

  return (
    <Page title={draft ? t('draftTitle') : t('title')} lead={t('lead')} narrow>
      <form onSubmit={submit} noValidate>
        <Stack gap={2.5}>
          {entered.isFound && (
            <Notice
              action={
                <Button compact icon="refresh" onClick={entered.startOver} disabled={busy}>
                  {t('startOver')}
                </Button>
              }
            >
              {t('stillHere')}
            </Notice>
          )}
          <Sheet title={t('details')}>
            <DetailsFields form={form} onChange={setForm} />
          </Sheet>
          <Sheet title={t('pageDetails')} note={t('pageDetailsNote')}>
            <PageDetails
              entries={form.page_details}
              onChange={(page_details) => setForm({ ...form, page_details })}
            />
          </Sheet>
          <Sheet title={t('files')} note={t('filesNote')}>
            <Stack>
              <FileList
                kept={kept}
                onKept={(next) => entered.change({ kept: next })}
                files={files}
                onFiles={(next) => entered.change({ files: next })}
              />
              {asked.map(({ key, isAccepted, remove, ...file }) => (
                <KeptPictures
                  key={key}
                  file={file}
                  isAccepted={isAccepted}
                  onAccept={() => entered.change({ accepted: [...new Set([...accepted, file.sha256])] })}
                  onRemove={remove}
                />
              ))}
            </Stack>
          </Sheet>
          <Sheet title={t('agreement')} note={t('agreementNote')}>
            <PartyFields
              form={form}
              onChange={setForm}
              language={language}
              onLanguage={(next) => entered.change({ language: next })}
            />
          </Sheet>
          <Sheet title={t('you')} note={t('youNote')}>
            <ul className={verificationCss.pieces}>
              {photoParts.map((part) => (
                <VerificationPiece key={part} part={part} file={photos[part]} onCapture={setCapturing} />
              ))}
            </ul>
          </Sheet>
          {sending.waiting && <Notice>{t('stillChecking')}</Notice>}
          <Stack gap={1}>
            <Button
              type="submit"
              variant="primary"
              wide
              disabled={blank || busy}
              loading={sending.creating}
              aria-describedby={blank ? lackId : undefined}
            >
              {t('submit')}
            </Button>
            {blank && fault && (
              <p id={lackId} className="k-muted k-small">
                {t(fault)}
              </p>
            )}
          </Stack>
          <Row justify="center">
            <Button variant="quiet" icon="document" onClick={save} disabled={busy} loading={sending.saving}>
              {t('saveDraft')}
            </Button>
            {draft && <DiscardDraft id={draft.document_id} disabled={busy} onDiscarded={entered.forget} />}
          </Row>
        </Stack>
      </form>
      {capturing && (
        <CaptureModal
          part={capturing}
          about={about}
          onTaken={taken(capturing)}
          onClose={() => setCapturing(null)}
        />
      )}
      {signing && !capturing && (
        <VerificationDialog
          purpose="create"
          about={about}
          initial={photos}
          sending={false}
          onCancel={() => setSigning(false)}
          onComplete={complete}
        />
      )}
    </Page>
  );
}
