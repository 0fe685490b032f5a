import type { Document, FinalizationProgress } from '@karaar/contracts/documents/http';
import { useEffect, useState } from 'react';
import { useShell } from '../../../shared/useShell.ts';
import { newer } from './finalization.ts';

/** Returns the newest progress from the document or from events. */
export function useProgress({ document_id, finalization }: Document): FinalizationProgress | null {
  const { live } = useShell();
  const [received, setReceived] = useState<FinalizationProgress | null>(null);
  useEffect(
    () =>
      live.on('document.progress', (event) => {
        if (event.document_id === document_id) setReceived((known) => newer(known, event.progress));
      }),
    [live, document_id],
  );
  return newer(received, finalization?.progress ?? null);
}
