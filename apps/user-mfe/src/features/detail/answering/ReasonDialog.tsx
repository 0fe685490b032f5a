import { useTexts } from '@karaar/i18n';
import { Button, Modal, Banner, Row, Stack } from '@karaar/ui';
import { useState } from 'react';
import { ReasonField } from '../../../shared/ReasonField.tsx';
import { detailTexts } from '../../../shared/catalogs/detail/texts.ts';

type ReasonDialogProps = {
  title: string;
  /** What happens then; said before it does. */
  text: string;
  confirm: string;
  /** Why it could not be done. */
  fault: string | null;
  sending: boolean;
  onCancel: () => void;
  onConfirm: (reason: string) => void;
};

/** Asks before a party refuses or leaves, and takes a reason if the party gives one. */
export function ReasonDialog(props: ReasonDialogProps) {
  const { title, text, confirm, fault, sending, onCancel, onConfirm } = props;
  const t = useTexts(detailTexts);
  const [reason, setReason] = useState('');
  return (
    <Modal title={title} opened onClose={onCancel} width={480} dismissible="escape">
      <Stack gap={2}>
        <p>{text}</p>
        <ReasonField reason={reason} onReason={setReason} />
        {fault && (
          <div role="alert">
            <Banner tone="rejected">{fault}</Banner>
          </div>
        )}
        <Row justify="flex-end">
          <Button onClick={onCancel} disabled={sending}>
            {t('keep')}
          </Button>
          <Button variant="reject" onClick={() => onConfirm(reason.trim())} loading={sending}>
            {confirm}
          </Button>
        </Row>
      </Stack>
    </Modal>
  );
}
