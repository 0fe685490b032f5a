import type { Document } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { Modal, Banner, Row, Stack, StatusStamp } from '@karaar/ui';
import { Tabs } from '@karaar/ui/navigation';
import { AddPerson } from './people/AddPerson.tsx';
import { ManagedPeople } from './people/ManagedPeople.tsx';
import { LateChoice } from './people/LateChoice.tsx';
import { OpenInvitations } from './people/OpenInvitations.tsx';
import { PaymentSummary } from './payment/PaymentSummary.tsx';
import { ReminderChoice } from './people/ReminderChoice.tsx';
import { requestedParties, type Actions } from '../../shared/roles.ts';
import { detailTexts } from '../../shared/catalogs/detail/texts.ts';
import type { ManagePart } from './useManage.ts';

type ManageDialogProps = {
  document: Document;
  actions: Actions;
  part: ManagePart;
  onPart: (part: ManagePart) => void;
  onClose: () => void;
};

/** Users and payments of a document: the creator manages them, others read them. */
export default function ManageDialog({ document, actions, part, onPart, onClose }: ManageDialogProps) {
  const t = useTexts(detailTexts);
  const open = document.status !== 'finalized';
  const requests = requestedParties(document).length;
  return (
    <Modal title={t('manageTitle')} opened onClose={onClose} width={640}>
      <Stack gap={2}>
        <Row gap={1.5}>
          <span className="k-muted">{t('statusIs')}</span>
          <StatusStamp status={document.status} />
        </Row>
        <Tabs
          label={t('manageTitle')}
          tabs={[
            { value: 'users', label: t('tabUsers'), ...(requests > 0 ? { count: requests } : {}) },
            { value: 'payments', label: t('tabPayments') },
          ]}
          value={part}
          onChange={onPart}
        >
          {part === 'payments' ? (
            <PaymentSummary document={document} actions={actions} />
          ) : (
            <Stack gap={3}>
              {!actions.manage && <Banner>{t('readOnly')}</Banner>}
              <ManagedPeople document={document} canManage={actions.manage && open} />
              <OpenInvitations document={document} canManage={actions.manage && open} />
              {actions.manage && open && <AddPerson documentId={document.document_id} />}
              {actions.manage && open && <ReminderChoice document={document} />}
              {actions.manage && open && <LateChoice document={document} />}
            </Stack>
          )}
        </Tabs>
      </Stack>
    </Modal>
  );
}
