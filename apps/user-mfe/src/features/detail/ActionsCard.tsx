import type { Document } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { Button, Columns, Sheet, toast } from '@karaar/ui';
import { Link } from 'react-router';
import { useUser } from '../../shared/useShell.ts';
import css from './detail.module.css';
import type { Actions } from './roles.ts';
import { detailTexts } from './texts.ts';
import type { Decisions } from './useDecisions.ts';

type ActionsCardProps = {
  document: Document;
  actions: Actions;
  /** The buttons to answer are shown beside the pages, so this card leaves them out. */
  answered: boolean;
  decisions: Decisions;
  onVerify: () => void;
  onVerifyAgain: () => void;
  onWithdraw: () => void;
  onManage: () => void;
};

/** What this user can do with the document. */
export function ActionsCard(props: ActionsCardProps) {
  const { document, actions, answered, decisions, onVerify, onVerifyAgain, onWithdraw, onManage } = props;
  const t = useTexts(detailTexts);
  const { user_id } = useUser();
  const partner = document.involved_users.find((each) => each !== user_id);
  const approveDocument = () => {
    if (document.upload_raw_docs.length === 0) return toast.error(t('uploadFirst'));
    decisions.approve.mutate();
  };
  return (
    <Sheet title={t('actions')}>
      <Columns min={220} gap={1.25}>
        {!answered && actions.approve && (
          <Button
            variant="primary"
            wide
            icon="check"
            onClick={approveDocument}
            loading={decisions.approve.isPending}
          >
            {t('approve')}
          </Button>
        )}
        {!answered && actions.verify && (
          <Button variant={actions.approve ? 'secondary' : 'primary'} wide icon="camera" onClick={onVerify}>
            {t('verifyApprove')}
          </Button>
        )}
        {actions.makePayment && (
          <Button as={Link} to="/wallet" wide icon="coins">
            {t('makePayment')}
          </Button>
        )}
        <Button wide icon="people" onClick={onManage}>
          {actions.manage ? t('manageUsers') : t('viewUsers')}
        </Button>
        {actions.manage && (
          <Button wide icon="coins" onClick={onManage}>
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
      </Columns>
      <p className={css.after}>
        <Link className="k-small" to={`/join-document?code=${document.document_code}`}>
          {t('shareJoin')}
        </Link>
      </p>
    </Sheet>
  );
}
