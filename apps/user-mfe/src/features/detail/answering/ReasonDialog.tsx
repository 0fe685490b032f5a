import { useTexts } from '@karaar/i18n';
import { Button, Modal, Banner, Row, Stack } from '@karaar/ui';
import { useState } from 'react';
import { ReasonField } from '../../../shared/ReasonField.tsx';
import { detailTexts } from '../../../shared/catalogs/detail/texts.ts';

type ReasonDialogProps = {
  title: string;
  /** The consequence, shown before the action. */
  text: string;
  confirm: string;
  fault: string | null;
  sending: boolean;
  onCancel: () => void;
  onConfirm: (reason: string) => void;
};

/** Asks for confirmation before a party rejects or withdraws, with an optional reason. */
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
