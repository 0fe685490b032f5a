import type { Document } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { Button, Sheet, Stack, useConfirm } from '@karaar/ui';
import { FinalFiles } from './FinalFiles.tsx';
import { FinalizationFault, FinalizationSteps } from './FinalizationState.tsx';
import type { Actions } from './roles.ts';
import { detailTexts } from './texts.ts';
import { useFinalizing } from './useFinalizing.ts';

const explanations = {
  'not-yet': 'finalizeNotYet',
  ready: 'finalizeReady',
  running: 'finalizeReady',
  done: 'finalizeDone',
} as const;

/** Composing and sealing the final PDF: when it is possible, asking first, and how far it is. */
export function FinalizeCard({ document, actions }: { document: Document; actions: Actions }) {
  const t = useTexts(detailTexts);
  const { ask, dialog } = useConfirm();
  const finalizing = useFinalizing(document);

  const start = async () => {
    const agreed = await ask({
      title: t('finalize'),
      text: t('finalizeAsk'),
      confirm: t('finalizeConfirm'),
    });
    if (agreed) finalizing.start();
  };
  const running = finalizing.asking || actions.finalize === 'running';
  const failed = document.finalization?.state === 'failed' && actions.finalize === 'ready' && !running;
  return (
    <Sheet title={t('finalizeTitle')}>
      <Stack>
        <p className="k-muted">{t(explanations[actions.finalize])}</p>
        {failed && document.finalization && (
          <FinalizationFault finalization={document.finalization} mayRetry={actions.isPrimary} />
        )}
        {actions.isPrimary && (actions.finalize === 'ready' || finalizing.asking) && (
          <FinalFiles finalizing={finalizing} />
        )}
        {running && !finalizing.sending && <FinalizationSteps document={document} />}
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
