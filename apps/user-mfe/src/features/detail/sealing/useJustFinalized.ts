import type { Document } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { toast } from '@karaar/ui';
import { useEffect, useRef, useState } from 'react';
import { detailTexts } from '../../../shared/catalogs/detail/texts.ts';

/** Returns true if the document was finalized while it was displayed, and announces that once. */
export function useJustFinalized(status: Document['status']): boolean {
  const t = useTexts(detailTexts);
  const [before, setBefore] = useState(status);
  const [just, setJust] = useState(false);
  if (before !== status) {
    setBefore(status);
    setJust(status === 'finalized');
  }
  const isAnnounced = useRef(false);
  useEffect(() => {
    if (just && !isAnnounced.current) toast.success(t('finalizeFinished'));
    isAnnounced.current = just;
  }, [just, t]);
  return just;
}
