import { call, toastText } from '@karaar/api-client';
import { courtPackRoutes } from '@karaar/contracts/documents/court-pack';
import type { Document } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { Button, Modal, Banner, Row, saveFile, Stack, TextArea } from '@karaar/ui';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { detailTexts } from '../../../shared/catalogs/detail/texts.ts';

/** The limits of a reason, as in the service. */
const REASON = { min: 10, max: 500 };

/** Downloads the ZIP that a party needs for a dispute; the reason is recorded. */
export function CourtPack({ document }: { document: Document }) {
  const t = useTexts(detailTexts);
  const [opened, setOpened] = useState(false);
  return (
    <div>
      <p className="k-muted k-small">{t('courtPackText')}</p>
      <Button icon="download" onClick={() => setOpened(true)}>
        {t('courtPack')}
      </Button>
      {opened && <CourtPackDialog document={document} onClose={() => setOpened(false)} />}
    </div>
  );
}

function CourtPackDialog({ document, onClose }: { document: Document; onClose: () => void }) {
  const t = useTexts(detailTexts);
  const [reason, setReason] = useState('');
  const [short, setShort] = useState(false);
  const { document_id: id, document_code: code } = document;
  const taking = useMutation({
    mutationFn: () => call(courtPackRoutes.courtPack, { params: { id }, body: { reason: reason.trim() } }),
    onSuccess: (zip) => {
      saveFile(zip, `${code}-court-pack.zip`);
      onClose();
    },
  });
  const take = () => {
    const missing = reason.trim().length < REASON.min;
    setShort(missing);
    if (!missing) taking.mutate();
  };
  return (
    <Modal title={t('courtPack')} opened onClose={onClose} width={480} dismissible="escape">
      <Stack gap={2}>
        <p>{t('courtPackContents')}</p>
        <TextArea
          label={t('courtPackReason')}
          hint={t('courtPackReasonHint')}
          rows={2}
          maxLength={REASON.max}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          error={short ? t('courtPackReasonShort') : undefined}
        />
        {taking.isError && (
          <div role="alert">
            <Banner tone="rejected">{toastText(taking.error, t('courtPackFailed'))}</Banner>
          </div>
        )}
        <Row justify="flex-end">
          <Button onClick={onClose} disabled={taking.isPending}>
            {t('courtPackCancel')}
          </Button>
          <Button variant="primary" icon="download" onClick={take} loading={taking.isPending}>
            {t('nextDownload')}
          </Button>
        </Row>
      </Stack>
    </Modal>
  );
}
