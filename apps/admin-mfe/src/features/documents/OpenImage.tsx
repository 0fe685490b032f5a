import { call, toastText } from '@karaar/api-client';
import { documentsRoutes, type BiometricKind } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { Button, Modal, toast } from '@karaar/ui';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ReasonDialog } from '../../shared/ReasonDialog.tsx';
import css from '../../shared/shared.module.css';
import own from './documents.module.css';
import { documentsTexts } from './texts.ts';

export const imageTexts = {
  profile_pic: 'imageFace',
  eye: 'imageEye',
  sign: 'imageSign',
  thumb: 'imageThumb',
} as const satisfies Record<BiometricKind, string>;

type OpenImageProps = {
  documentId: string;
  userId: string;
  name: string;
  kind: BiometricKind;
  onClose: () => void;
};

/** Asks for a reason, then shows one image until the dialog closes. */
export function OpenImage({ documentId, userId, name, kind, onClose }: OpenImageProps) {
  const t = useTexts(documentsTexts);
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => () => void (url && URL.revokeObjectURL(url)), [url]);
  const open = useMutation({
    mutationFn: (reason: string) =>
      call(documentsRoutes.openBiometric, {
        params: { id: documentId },
        body: { user_id: userId, kind, reason },
      }),
    // Not cached longer than it is shown.
    gcTime: 0,
    onSuccess: (image) => setUrl(URL.createObjectURL(image)),
    onError: (error) => toast.error(toastText(error, t('imageFailed'))),
  });
  const imageName = t(imageTexts[kind]);
  if (!url)
    return (
      <ReasonDialog
        title={t('imageTitle', { what: imageName, name })}
        text={t('imageText')}
        confirm={t('imageOpen')}
        busy={open.isPending}
        onConfirm={(reason) => open.mutate(reason)}
        onClose={onClose}
      />
    );
  return (
    <Modal title={t('imageShown', { what: imageName, name })} opened onClose={onClose} width={560}>
      <img className={own.image} src={url} alt={t('imageShown', { what: imageName, name })} />
      <div className={css.answers}>
        <Button variant="primary" onClick={onClose}>
          {t('imageClose')}
        </Button>
      </div>
    </Modal>
  );
}
