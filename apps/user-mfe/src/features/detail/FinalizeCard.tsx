import { call, toastText } from '@karaar/api-client';
import { documentsRoutes, type Document } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { Button, Sheet, Stack, toast, useConfirm } from '@karaar/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { documentKeys } from '../../shared/queries.ts';
import { FinalizationFault, FinalizationSteps } from './FinalizationState.tsx';
import type { Actions } from './roles.ts';
import { detailTexts } from './texts.ts';

const explanations = {
  'not-yet': 'finalizeNotYet',
  ready: 'finalizeReady',
  running: 'finalizeReady',
  done: 'finalizeDone',
} as const;

/** Composing and sealing the final PDF: when it is possible, asking first, and how far it is. */
export function FinalizeCard({ document, actions }: { document: Document; actions: Actions }) {
  const t = useTexts(detailTexts);
  const queries = useQueryClient();
  const { ask, dialog } = useConfirm();
  const finalize = useMutation({
    mutationFn: () =>
      call(documentsRoutes.finalize, { params: { id: document.document_id }, fields: {}, files: {} }),
    // A 202 carries a document whose job still runs; the page then looks again until it ends.
    onSuccess: (next) => queries.setQueryData(documentKeys.one(document.document_id), next),
    onError: (error) => toast.error(toastText(error, t('finalizeFailed'))),
    onSettled: () => queries.invalidateQueries({ queryKey: documentKeys.all }),
  });
  useFinalizedToast(document.status);

  const start = async () => {
    const agreed = await ask({
      title: t('finalize'),
      text: t('finalizeAsk'),
      confirm: t('finalizeConfirm'),
    });
    if (agreed) finalize.mutate();
  };
  const running = finalize.isPending || actions.finalize === 'running';
  const failed = document.finalization?.state === 'failed' && actions.finalize === 'ready' && !running;
  return (
    <Sheet title={t('finalizeTitle')}>
      <Stack>
        <p className="k-muted">{t(explanations[actions.finalize])}</p>
        {failed && document.finalization && (
          <FinalizationFault finalization={document.finalization} mayRetry={actions.isPrimary} />
        )}
        {running && <FinalizationSteps document={document} />}
        {actions.isPrimary && (
          <div>
            <Button
              variant="primary"
              icon={failed ? 'refresh' : 'shield'}
              onClick={() => void start()}
              disabled={actions.finalize !== 'ready'}
              loading={running}
            >
              {t(failed ? 'finalizeAgain' : 'finalize')}
            </Button>
          </div>
        )}
      </Stack>
      {dialog}
    </Sheet>
  );
}

/** Says so when the document becomes finalized while it is looked at. */
function useFinalizedToast(status: Document['status']): void {
  const t = useTexts(detailTexts);
  const before = useRef(status);
  useEffect(() => {
    if (before.current !== 'finalized' && status === 'finalized') toast.success(t('finalizeFinished'));
    before.current = status;
  }, [status]);
}
