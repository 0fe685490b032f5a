import { call } from '@karaar/api-client';
import { messagingRoutes, type Message } from '@karaar/contracts/messaging/http';
import { screen, useTexts } from '@karaar/i18n';
import { fileSize, Modal, Skeleton } from '@karaar/ui';
import { FileCard } from '@karaar/ui/chat';
import { Suspense, useCallback, useEffect, useState } from 'react';
import { useObjectUrl } from '../../../shared/useObjectUrl.ts';
import css from '../chat.module.css';
import { chatTexts } from '../texts.ts';

const PdfView = screen(() => import('../../detail/reading/PdfView.tsx'), []);

type AttachmentProps = { message: Message; otherId: string };

/** A file of a message: shows pictures and PDFs here, opens others. */
export function Attachment({ message, otherId }: AttachmentProps) {
  const t = useTexts(chatTexts);
  const file = message.attachment;
  const [fresh, setFresh] = useState<string | null>(null);
  const [open, setOpen] = useState(false);
  const path = fresh ?? file?.path;
  const { seq } = message;
  const ask = useCallback(() => {
    call(messagingRoutes.conversation, {
      params: { id: otherId },
      query: { before: seq + 1, limit: 1, peek: true },
    }).then(
      ([again]) => again?.attachment && setFresh(again.attachment.path),
      // The picture is not shown; its name and size are.
      () => undefined,
    );
  }, [otherId, seq]);
  // Events of the socket have no link: each session requests its own.
  useEffect(() => {
    if (path === '') ask();
  }, [path, ask]);
  if (!file) return null;
  // Links expire after some minutes: an expired link is requested again, once.
  const renew = () => {
    if (!fresh) ask();
  };
  const { name, size, mime } = file;
  // Undefined without a link: an empty one would be the URL of this page.
  const link = path || undefined;
  const isImage = mime.startsWith('image/');
  const card = <FileCard name={name} size={size} />;
  const alt = t('pictureOf', { name });
  return (
    <>
      {isImage || mime === 'application/pdf' ? (
        <button
          type="button"
          className={isImage ? css.picture : css.fileButton}
          aria-label={isImage ? t('lookAt', { name }) : undefined}
          onClick={() => setOpen(true)}
        >
          {isImage ? <img src={link} alt={alt} loading="lazy" onError={renew} /> : card}
        </button>
      ) : (
        <a className={css.fileButton} href={link} target="_blank" rel="noopener noreferrer">
          {card}
        </a>
      )}
      {open && (
        <Modal title={name} opened onClose={() => setOpen(false)} width={880}>
          {isImage ? (
            <img className={css.large} src={link} alt={alt} />
          ) : (
            link && (
              <Suspense fallback={<Skeleton height={420} />}>
                <PdfView source={link} label={name} />
              </Suspense>
            )
          )}
          <p className={css.fileFoot}>
            <a href={link} target="_blank" rel="noopener noreferrer">
              {t('openInTab')}
            </a>
            <span className="k-muted k-num">{fileSize(size)}</span>
          </p>
        </Modal>
      )}
    </>
  );
}

/** A file that is being sent. */
export function UnsentFile({ file }: { file: File }) {
  const src = useObjectUrl(file.type.startsWith('image/') ? file : null);
  return <FileCard name={file.name} size={file.size} src={src} />;
}
