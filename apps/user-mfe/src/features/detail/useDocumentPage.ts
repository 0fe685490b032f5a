import type { Document } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { toast, useConfirm } from '@karaar/ui';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { chargeQuery } from '../../shared/charge-query.ts';
import { useUser } from '../../shared/useShell.ts';
import { dueNow } from '../payment/charge.ts';
import { usePay } from '../payment/usePay.tsx';
import { useRead } from '../reading/useRead.ts';
import type { Answer } from './answering/Answering.tsx';
import { nextStep } from './next/next.ts';
import { DURATION_DAYS } from './payment/PaymentCard.tsx';
import { actionsFor, turnOf } from '../../shared/roles.ts';
import { detailTexts } from '../../shared/catalogs/detail/texts.ts';
import { useDecisions } from './answering/useDecisions.ts';
import { useFinalizing } from './sealing/useFinalizing.ts';
import { useProgress } from './sealing/useProgress.ts';
import { useManage } from './useManage.ts';
import { useSigning } from './answering/useSigning.ts';

/**
 * Returns the shared state of a document's page: the actions of this user, and functions that perform them.
 */
export function useDocumentPage(document: Document) {
  const t = useTexts(detailTexts);
  const { user_id } = useUser();
  const read = useRead(document);
  const decisions = useDecisions(document, read);
  const finalizing = useFinalizing(document);
  const charge = useQuery(chargeQuery(document.document_id));
  const paying = usePay(document, charge.data?.calculation, DURATION_DAYS);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const signing = useSigning(decisions);
  const { ask, dialog } = useConfirm();
  const manage = useManage();
  const due = charge.data ? dueNow(document, charge.data, user_id) : 0;
  const verifyAgain = async () => {
    const agreed = await ask({
      title: t('verifyAgainTitle'),
      text: t('verifyAgainMeans'),
      confirm: t('continue'),
    });
    if (agreed) setAnswer('verify-only');
  };
  const approve = () => {
    if (document.upload_raw_docs.length === 0) return toast.error(t('uploadFirst'));
    signing.start();
  };
  return {
    userId: user_id,
    actions: actionsFor(document, user_id),
    turn: turnOf(document, user_id),
    next: nextStep(document, user_id, due),
    owes: due > 0,
    read,
    decisions,
    finalizing,
    progress: useProgress(document),
    paying,
    manage,
    answer,
    setAnswer,
    approve,
    signing,
    verifyAgain: () => void verifyAgain(),
    dialog,
  };
}

export type DocumentPage = ReturnType<typeof useDocumentPage>;
