import { call, toastText } from '@karaar/api-client';
import { walletRoutes } from '@karaar/contracts/wallet/http';
import { useTexts } from '@karaar/i18n';
import { Menu, toast } from '@karaar/ui';
import { useMutation } from '@tanstack/react-query';
import { saveFile } from '../../shared/save-file.ts';
import { useUser } from '../../shared/useShell.ts';
import { period, type HistoryFilter } from './history.ts';
import { walletTexts } from './texts.ts';

/** The statement of the period that is shown, to keep. It holds money in and out, whichever is shown. */
export function StatementMenu({ filter }: { filter: HistoryFilter }) {
  const t = useTexts(walletTexts);
  const { char_id } = useUser();
  const fetchStatement = useMutation({
    mutationFn: (format: 'csv' | 'pdf') =>
      call(walletRoutes.statement, { query: { ...period(filter), format } }),
    onSuccess: (file, format) => saveFile(file, `karaar-statement-${char_id}.${format}`),
    onError: (error) => toast.error(toastText(error, t('statementFailed'))),
  });
  const take = (format: 'csv' | 'pdf') => () => fetchStatement.mutate(format);
  return (
    <Menu
      label={t('statement')}
      text
      icon="download"
      items={[
        { label: t('asPdf'), icon: 'document', onChoose: take('pdf'), disabled: fetchStatement.isPending },
        { label: t('asCsv'), icon: 'list', onChoose: take('csv'), disabled: fetchStatement.isPending },
      ]}
    />
  );
}
