import { call, toastText } from '@karaar/api-client';
import { documentsRoutes, type Document, type RawFile } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { toast, userName } from '@karaar/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useNavigate } from 'react-router';
import { detailTexts } from '../../../shared/catalogs/detail/texts.ts';
import { documentKeys } from '../../../shared/queries.ts';
import { copyFields, othersOf } from './copy.ts';

/**
 * Copies a rejected document with its files into a draft, and opens the draft. A draft names one person; the
 * user is told whom to add after sending.
 */
export function useCorrecting(document: Document) {
  const t = useTexts(detailTexts);
  const navigate = useNavigate();
  const queries = useQueryClient();
  // A retry after a lost response makes no second draft.
  const key = useRef(crypto.randomUUID());
  const copying = useMutation({
    mutationFn: async () => {
      const files = await Promise.all(document.raw_files.map(fileOf));
      const fields = { ...copyFields(document), save_as_draft: true };
      return call(
        documentsRoutes.create,
        { fields, files: { raw_documents: files } },
        { idempotencyKey: key.current },
      );
    },
    onSuccess: async ({ document_id: id }) => {
      const [, ...more] = othersOf(document);
      const names = more.map(({ name }) => userName(name)).join(', ');
      toast.success([t('correctReady'), ...(names ? [t('correctOthers', { names })] : [])].join(' '));
      await queries.invalidateQueries({ queryKey: documentKeys.all });
      await navigate(`/document/create?draft=${id}`);
    },
    onError: (error) => toast.error(toastText(error, t('correctFailed'))),
  });
  return { correct: () => copying.mutate(), copying: copying.isPending };
}

/** Fetches an uploaded file again, as the creator sent it. */
async function fileOf({ path, name, mime }: RawFile): Promise<File> {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`${name} could not be fetched: ${answer.status}`);
  return new File([await answer.blob()], name, { type: mime });
}
