import { call, toastText } from '@karaar/api-client';
import { courtPackRoutes } from '@karaar/contracts/documents/court-pack';
import type { AdminDocumentDetail } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { Button, saveFile, Sheet, Stack, TextField, toast } from '@karaar/ui';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ReasonDialog } from '../../shared/ReasonDialog.tsx';
import { documentsTexts } from './texts.ts';

/** The length limits of an order, as in the service. */
const ORDER = { min: 5, max: 120 };

/** Downloads a pack for a court or an authority: the record or, with an order, everything. */
export function CourtPack({ document }: { document: AdminDocumentDetail }) {
  const t = useTexts(documentsTexts);
  const [opened, setOpened] = useState(false);
  return (
    <Sheet title={t('courtPack')}>
      <Stack gap={2}>
        <p className="k-muted">{t('courtPackText')}</p>
        <div>
          <Button icon="download" onClick={() => setOpened(true)}>
            {t('courtPackOpen')}
          </Button>
        </div>
      </Stack>
      {opened && <CourtPackDialog document={document} onClose={() => setOpened(false)} />}
    </Sheet>
  );
}

function CourtPackDialog({ document, onClose }: { document: AdminDocumentDetail; onClose: () => void }) {
  const t = useTexts(documentsTexts);
  const [order, setOrder] = useState('');
  const [isShort, setIsShort] = useState(false);
  const orderText = order.trim();
  const taking = useMutation({
    mutationFn: (reason: string) =>
      call(courtPackRoutes.adminCourtPack, {
        params: { id: document.document_id },
        body: { reason, ...(orderText === '' ? {} : { order: orderText }) },
      }),
    // Not cached: it may hold photos.
    gcTime: 0,
    onSuccess: (zip) => {
      saveFile(zip, `${document.document_code}-court-pack.zip`);
      onClose();
    },
    onError: (error) => toast.error(toastText(error, t('courtPackFailed'))),
  });
  const take = (reason: string) => {
    const missing = orderText !== '' && orderText.length < ORDER.min;
    setIsShort(missing);
    if (!missing) taking.mutate(reason);
  };
  return (
    <ReasonDialog
      title={t('courtPack')}
      text={t('courtPackDialog')}
      confirm={t('courtPackTake')}
      busy={taking.isPending}
      onConfirm={take}
      onClose={onClose}
    >
      <TextField
        label={t('courtPackOrder')}
        hint={t('courtPackOrderHint')}
        error={isShort ? t('courtPackOrderShort') : undefined}
        maxLength={ORDER.max}
        value={order}
        onChange={(event) => setOrder(event.target.value)}
      />
    </ReasonDialog>
  );
}
