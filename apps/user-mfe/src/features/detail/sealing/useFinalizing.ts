import { call, toastText } from '@karaar/api-client';
import { documentsRoutes, type Document } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { toast, useConfirm } from '@karaar/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type ReactNode } from 'react';
import { documentKeys } from '../../../shared/queries.ts';
import { sendFault, type SendFault } from '../../../shared/uploads/uploads.ts';
import { detailTexts } from '../../../shared/catalogs/detail/texts.ts';

/** Starts the finalization after uploading the additional files. */
export function useFinalizing({ document_id: id }: Document) {
  const t = useTexts(detailTexts);
  const queries = useQueryClient();
  const [files, setFiles] = useState<File[]>([]);
  const [progress, setProgress] = useState(0);
  const [fault, setFault] = useState<SendFault | null>(null);
  const { ask, dialog } = useConfirm();
  const stop = useRef(new AbortController());
  const finalize = useMutation({
    onMutate: () => {
      stop.current = new AbortController();
      setFault(null);
      setProgress(0);
    },
    mutationFn: () =>
      call(
        documentsRoutes.finalize,
        { params: { id }, fields: {}, files: { final_documents: files } },
        { onProgress: setProgress, signal: stop.current.signal },
      ),
    // A 202 carries a document whose job still runs; the page polls until it ends.
    onSuccess: (next) => queries.setQueryData(documentKeys.one(id), next),
    onError: (error) => {
      const text = toastText(error, t('finalizeFailed'));
      const cancelled = stop.current.signal.aborted;
      if (files.length > 0) setFault(sendFault(files, error, text, cancelled));
      if (!cancelled) toast.error(text);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: documentKeys.all }),
  });
  const sending = finalize.isPending && files.length > 0 && progress < 1;
  const askFirst = async () => {
    const agreed = await ask({
      title: t('finalize'),
      text: t('finalizeAsk'),
      confirm: t('finalizeConfirm'),
    });
    if (agreed) finalize.mutate();
  };
  return {
    /** Asks for confirmation: a sealed document cannot be changed. */
    ask: () => void askFirst(),
    dialog: dialog as ReactNode,
    start: () => finalize.mutate(),
    asking: finalize.isPending,
    /** True while the files are uploading; composing starts after that. */
    sending,
    files,
    setFiles: (next: File[]) => {
      setFiles(next);
      setFault(null);
    },
    progress: finalize.isPending ? progress : undefined,
    fault,
    cancel: () => stop.current.abort(),
  };
}

export type Finalizing = ReturnType<typeof useFinalizing>;
