import type { Document, FinalizationProgress } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { Button, Sheet, Stack } from '@karaar/ui';
import { CourtPack } from './CourtPack.tsx';
import { FinalFiles } from './FinalFiles.tsx';
import { FinalizationFault, FinalizationSteps } from './FinalizationState.tsx';
import type { Actions } from '../../../shared/roles.ts';
import { detailTexts } from '../../../shared/catalogs/detail/texts.ts';
import type { Finalizing } from './useFinalizing.ts';

const explanations = {
  'not-yet': 'finalizeNotYet',
  ready: 'finalizeReady',
  running: 'finalizeReady',
  done: 'finalizeDone',
} as const;

type FinalizeCardProps = {
  document: Document;
  actions: Actions;
  finalizing: Finalizing;
  progress: FinalizationProgress | null;
};

/** Starts the final PDF when possible, after a confirmation, and shows its progress. */
export default function FinalizeCard({ document, actions, finalizing, progress }: FinalizeCardProps) {
  const t = useTexts(detailTexts);
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
        {running && !finalizing.sending && <FinalizationSteps progress={progress} />}
        {actions.finalize === 'done' && <CourtPack document={document} />}
        {actions.isPrimary && (
          <div>
            <Button
              icon={failed ? 'refresh' : 'shield'}
              onClick={finalizing.ask}
              disabled={actions.finalize !== 'ready'}
              loading={running}
            >
              {t(failed ? 'finalizeAgain' : 'finalize')}
            </Button>
          </div>
        )}
      </Stack>
      {finalizing.dialog}
    </Sheet>
  );
}
