import type { Document } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { Button, Columns, Sheet } from '@karaar/ui';
import { Link } from 'react-router';
import { useUser } from '../../shared/useShell.ts';
import { JoinLink } from './people/JoinLink.tsx';
import type { Actions, Turn } from '../../shared/roles.ts';
import { detailTexts } from '../../shared/catalogs/detail/texts.ts';
import type { Decisions } from './answering/useDecisions.ts';
import type { ManagePart } from './useManage.ts';

type ActionsCardProps = {
  document: Document;
  actions: Actions;
  /** True if this user has a share to pay now. */
  owes: boolean;
  /** The role in which this user must answer now. */
  turn: Turn | null;
  /** True if something must be read again before an approval. */
  stopped: boolean;
  decisions: Decisions;
  onApprove: () => void;
  onVerify: () => void;
  onVerifyAgain: () => void;
  onWithdraw: () => void;
  onCancel: () => void;
  onManage: (part: ManagePart) => void;
};

/** The actions of this user on the document. */
export function ActionsCard(props: ActionsCardProps) {
  const { document, actions, owes, turn, stopped, decisions } = props;
  const { onVerify, onVerifyAgain, onWithdraw, onCancel, onManage, onApprove } = props;
  const t = useTexts(detailTexts);
  const { user_id } = useUser();
  const partner = document.involved_users.find((each) => each !== user_id);
  return (
    <Sheet title={t('actions')}>
      <Columns min={220} gap={1.25}>
        {(actions.approve || turn === 'admitted') && (
          <Button
            wide
            icon="check"
            onClick={onApprove}
            loading={decisions.approve.isPending}
            disabled={stopped}
          >
            {t(actions.approve ? 'approve' : 'approveAgreement')}
          </Button>
        )}
        {actions.verify && (
          <Button wide icon="camera" onClick={onVerify} disabled={stopped}>
            {t('verifyApprove')}
          </Button>
        )}
        {actions.makePayment && owes && (
          <Button as={Link} to="/wallet" wide icon="coins">
            {t('makePayment')}
          </Button>
        )}
        <Button wide icon="people" onClick={() => onManage('users')}>
          {actions.manage ? t('manageUsers') : t('viewUsers')}
        </Button>
        {actions.manage && (
          <Button wide icon="coins" onClick={() => onManage('payments')}>
            {t('managePayments')}
          </Button>
        )}
        {partner && (
          <Button as={Link} to={`/chat/${partner}`} wide icon="chat">
            {t('chatUsers')}
          </Button>
        )}
        {actions.verifyAgain && (
          <Button variant="quiet" wide icon="refresh" onClick={onVerifyAgain}>
            {t('verifyAgain')}
          </Button>
        )}
        {actions.withdraw && (
          <Button variant="quiet" wide icon="logout" onClick={onWithdraw}>
            {t('withdraw')}
          </Button>
        )}
        {actions.cancel && (
          <Button variant="reject" wide icon="block" onClick={onCancel}>
            {t('cancelTitle')}
          </Button>
        )}
      </Columns>
      {!document.cancelled && <JoinLink code={document.document_code} name={document.name} />}
    </Sheet>
  );
}
