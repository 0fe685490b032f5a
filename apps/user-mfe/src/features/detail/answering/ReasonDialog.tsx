import { Button, Modal, Banner, Row, Stack } from '@karaar/ui';
import { useState } from 'react';
import { ReasonField } from '../../../shared/ReasonField.tsx';

type ReasonDialogProps = {
  title: string;
  /** The consequence, shown before the action. */
  text: string;
  confirm: string;
  /** The label of the button that closes the dialog and changes nothing. */
  keep: string;
  /** True if the act needs a reason. */
  required: boolean;
  fault: string | null;
  sending: boolean;
  onCancel: () => void;
  onConfirm: (reason: string) => void;
};

/** Asks for confirmation and the reason before a party rejects or withdraws, or the creator cancels. */
export function ReasonDialog(props: ReasonDialogProps) {
  const { title, text, confirm, keep, required, fault, sending, onCancel, onConfirm } = props;
  const [reason, setReason] = useState('');
  return (
    <Modal title={title} opened onClose={onCancel} width={480} dismissible="escape">
      <Stack gap={2}>
        <p>{text}</p>
        <ReasonField reason={reason} onReason={setReason} required={required} />
        {fault && (
          <div role="alert">
            <Banner tone="rejected">{fault}</Banner>
          </div>
        )}
        <Row justify="flex-end">
          <Button onClick={onCancel} disabled={sending}>
            {keep}
          </Button>
          <Button
            variant="reject"
            onClick={() => onConfirm(reason.trim())}
            loading={sending}
            disabled={required && reason.trim() === ''}
          >
            {confirm}
          </Button>
        </Row>
      </Stack>
    </Modal>
  );
}
